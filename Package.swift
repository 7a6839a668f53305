// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "netcore",
    products: [
        .library(name: "Netcore", targets: ["Netcore"]),
        .library(name: "NetcoreAPI", targets: ["NetcoreAPI"]),
        .library(name: "NetcoreCodable", targets: ["NetcoreCodable"]),
        .library(name: "netcore", type: .dynamic, targets: ["NetcoreC"]),
    ],
    targets: [
        .systemLibrary(name: "CNetcore", path: "include"),
        .systemLibrary(name: "CLinux"),
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CCoding", providers: [.apt(["zlib1g-dev", "libbrotli-dev", "libzstd-dev"])]),
        .systemLibrary(name: "CJansson", pkgConfig: "jansson", providers: [.apt(["libjansson-dev"])]),
        .systemLibrary(name: "CPSL", pkgConfig: "libpsl", providers: [.apt(["libpsl-dev"])]),
        .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
        .target(name: "NetcoreSupport", dependencies: ["CLinux", "CCoding"]),
        .target(name: "NetcoreHTTP", dependencies: ["NetcoreSupport", "CCurl", "CJansson", "CPSL"]),
        .target(
            name: "NetcoreTransport", dependencies: ["NetcoreHTTP", "NetcoreSupport", "CCurl", "CCoding", "CLinux"]),
        .target(name: "NetcoreStorage", dependencies: ["NetcoreSupport", "CSQLite", "CCoding", "CLinux"]),
        .target(
            name: "Netcore", dependencies: ["NetcoreTransport", "NetcoreStorage", "NetcoreHTTP", "NetcoreSupport"]),
        .target(name: "NetcoreCodable", dependencies: ["NetcoreAPI", "Netcore"]),
        .target(name: "NetcoreAPI", dependencies: ["Netcore", "NetcoreHTTP", "NetcoreSupport"]),
        .target(
            name: "NetcoreC", dependencies: ["NetcoreAPI", "Netcore", "NetcoreHTTP", "NetcoreSupport", "CNetcore"]),
        .target(name: "TestSupport", dependencies: ["NetcoreSupport"], path: "Tests/TestSupport"),
        .testTarget(name: "NetcoreSupportTests", dependencies: ["NetcoreSupport", "TestSupport"]),
        .testTarget(name: "NetcoreHTTPTests", dependencies: ["NetcoreHTTP", "NetcoreSupport", "TestSupport"]),
        .testTarget(
            name: "NetcoreTransportTests",
            dependencies: ["NetcoreTransport", "NetcoreHTTP", "NetcoreSupport", "CCoding", "TestSupport"]),
        .testTarget(
            name: "NetcoreStorageTests",
            dependencies: ["NetcoreStorage", "NetcoreSupport", "CSQLite", "TestSupport"],
            linkerSettings: [.linkedLibrary("sqlite3")]),
        .testTarget(
            name: "NetcoreAPITests",
            dependencies: ["NetcoreAPI", "NetcoreCodable", "Netcore", "NetcoreHTTP", "NetcoreSupport", "TestSupport"]),
        .testTarget(
            name: "NetcoreTests",
            dependencies: [
                "Netcore", "NetcoreCodable", "NetcoreStorage", "NetcoreTransport", "NetcoreHTTP", "NetcoreSupport",
                "TestSupport",
            ]),
    ],
    swiftLanguageModes: [.v6]
)
