public import NetcoreHTTP
internal import NetcoreStorage

/// The part of a file that a download left behind, or is writing.
public struct DownloadPart: Sendable {
    /// The file that it is a part of.
    public let path: String
    /// Bytes that are there.
    public let size: Int
    /// Bytes of the whole file; nil if that is not known.
    public let total: Int?
    /// When it was last written, in seconds since 1970.
    public let modified: Int
    /// Whether a download writes to it now.
    public let isBusy: Bool

    /// All parts in a folder, by their names.
    ///
    /// - Throws: `storage` if the folder cannot be read.
    public static func all(in folder: String) throws(NetcoreError) -> [DownloadPart] {
        guard !folder.isEmpty, !folder.utf8.contains(0) else {
            throw NetcoreError(.invalidArgument, argument: "folder", "not a path")
        }
        return try onDisk { () throws(FileFailure) in try LeftPart.all(in: folder) }.map { DownloadPart($0) }
    }

    private init(_ part: LeftPart) {
        path = part.paths.target
        size = Int(part.size)
        total = Representation.length(in: String(decoding: part.description, as: UTF8.self)).map { Int($0) }
        modified = Int(part.modified)
        isBusy = part.isBusy
    }

    /// Removes the part of a file.
    ///
    /// - Parameter path: of the file, not of the part.
    /// - Returns: whether there was one.
    /// - Throws: `fileBusy` while a download writes to it; `storage`.
    @discardableResult
    public static func remove(of path: String) throws(NetcoreError) -> Bool {
        try onDisk { () throws(FileFailure) in try LeftPart.remove(try PartPaths(path)) }
    }
}
