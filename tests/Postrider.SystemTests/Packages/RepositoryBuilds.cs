namespace Postrider.SystemTests.Packages;

/// <summary>Tests that build projects of the repository where they are: one after the other, for two builds of one project
/// write the same files. They share the packages.</summary>
[CollectionDefinition(nameof(RepositoryBuilds))]
public sealed class RepositoryBuilds : ICollectionFixture<PackedPackages>;
