// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "demo",
    dependencies: [.package(name: "netcore", path: "../..")],
    targets: [
        .executableTarget(name: "demo", dependencies: [.product(name: "Netcore", package: "netcore")]),
        .executableTarget(name: "download", dependencies: [.product(name: "Netcore", package: "netcore")]),
    ],
    swiftLanguageModes: [.v6]
)
