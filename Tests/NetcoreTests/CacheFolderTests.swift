import Glibc
@testable import Netcore
import NetcoreHTTP
import Testing

@Suite struct CacheFolderTests {
    private let folder = ModelFolder()

    @Test(
        "a folder that is a file, or below one, is refused with the file's name",
        arguments: ["", "/below", "/below/it"])
    func file(ending: String) {
        let file = folder.path + "/file"
        close(open(file, O_WRONLY | O_CREAT, 0o600))
        var options = Cache.Options()
        options.folder = file + ending
        #expect { try options.checkFolder() } throws: { error in
            (error as? NetcoreError)?.code == .invalidArgument && "\(error)".contains("folder: \(file) is not a folder")
        }
    }

    @Test("a folder that is there, or can be made, is fine", arguments: ["", "/not/yet/made"])
    func folder(ending: String) throws {
        var options = Cache.Options()
        options.folder = folder.path + ending
        try options.checkFolder()
    }
}
