// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "stranger",
    dependencies: [.package(name: "netcore", path: "@NETCORE@")],
    targets: [
        .executableTarget(name: "stranger", dependencies: [.product(name: "Netcore", package: "netcore")])
    ]
)
