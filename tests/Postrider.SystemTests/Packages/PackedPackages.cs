namespace Postrider.SystemTests.Packages;

/// <summary>The packages that bring what compiles their users' code, packed once into a folder of their own.</summary>
public sealed class PackedPackages : IAsyncLifetime
{
    // Not the repository's version: a package of that one may be in the user's cache.
    internal const string Version = "0.0.1-packed";

    internal string Folder { get; } = Directory.CreateTempSubdirectory("postrider-package-").FullName;

    internal string Feed => Path.Join(Folder, "feed");

    public async ValueTask InitializeAsync()
    {
        foreach (var project in new[] { "Postrider.Resilience", "Postrider", "Postrider.Compat.MediatR", "Postrider.MessagePack", "Postrider.Xml", "Postrider.Memory", "Postrider.Serialization", "Postrider.Sockets", "Postrider.Rpc", "Postrider.Rpc.Soap" })
        {
            await DotnetCommand.SdkAsync(
                Checkout.Root, "pack", "src/" + project, "-c", "Release", "-p:PackageVersion=" + Version, "-o", Feed, "-nologo", "-v", "q");
        }
    }

    public ValueTask DisposeAsync()
    {
        Directory.Delete(Folder, recursive: true);
        return ValueTask.CompletedTask;
    }
}
