// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "shop",
    dependencies: [.package(name: "netcore", path: "../../..")],
    targets: [
        .executableTarget(
            name: "shop",
            dependencies: [
                .product(name: "Netcore", package: "netcore"),
                .product(name: "NetcoreAPI", package: "netcore"),
                .product(name: "NetcoreCodable", package: "netcore"),
            ])
    ],
    swiftLanguageModes: [.v6]
)
