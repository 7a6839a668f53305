internal import Glibc
internal import NetcoreHTTP
internal import NetcoreTransport

extension Client.Options {
    /// Whose certificates are trusted: as the options say, else as the environment says, in the words of OpenSSL.
    func setAuthorities(_ result: inout TransportOptions) throws(NetcoreError) {
        let isAsked = usesEnvironment && caFile == nil && caFolder == nil && verifiesPeer
        let (file, fileName) = isAsked ? (Self.variable("SSL_CERT_FILE"), "SSL_CERT_FILE") : (caFile, "ca_file")
        let (folder, folderName) = isAsked ? (Self.variable("SSL_CERT_DIR"), "SSL_CERT_DIR") : (caFolder, "ca_folder")
        if let file, !(isAsked && file.isEmpty) {
            try FileAccess.check(file, is: .file, option: fileName, .tlsConfig)
            result.caFile = file
        }
        if let folder, !(isAsked && folder.isEmpty) {
            for part in isAsked ? folder.split(separator: ":").map(String.init) : [folder] {
                try FileAccess.check(part, is: .folder, option: folderName, .tlsConfig)
            }
            result.caFolder = folder
        }
    }

    private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
