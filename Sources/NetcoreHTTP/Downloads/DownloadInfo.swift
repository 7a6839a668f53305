/// What became of a download.
public struct DownloadInfo: Sendable {
    /// The file.
    public package(set) var path = ""
    /// Whether the file is in its place, whole.
    public package(set) var isComplete = false
    /// Bytes of the file; of one that is not complete, those kept for another download of it.
    public package(set) var size = 0
    /// Bytes that an earlier download had left, and that were used.
    public package(set) var resumedFrom = 0
    /// Bytes of bodies that came.
    public package(set) var fetched = 0
    /// Those among them that had come before or come again: the file changed, a server sent more than was asked for, or another segment
    /// took over what was on its way.
    public package(set) var fetchedAgain = 0
    /// Requests dispatched.
    public package(set) var requests = 0
    /// The SHA-256 digest of the file in hexadecimal; empty if it was not made.
    public package(set) var sha256 = ""

    package init() {}
}

/// For ``Response``.
package final class DownloadInfoBox: Sendable {
    package let info: DownloadInfo
    /// With a NUL byte at the end.
    package let pathText: ContiguousArray<CChar>
    package let digestText: ContiguousArray<CChar>

    package init(_ info: DownloadInfo) {
        self.info = info
        pathText = info.path.utf8CString
        digestText = info.sha256.utf8CString
    }
}
