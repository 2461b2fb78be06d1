using System.Xml.Linq;

namespace Postrider.SystemTests.Packages;

/// <summary>Every package of the repository, packed once into a folder of their own.</summary>
public sealed class PackedPackages : IAsyncLifetime
{
    // Not the repository's version: a package of that one may be in the user's cache.
    internal const string Version = "0.0.1-packed";

    internal string Folder { get; } = Directory.CreateTempSubdirectory("postrider-package-").FullName;

    internal string Feed => Path.Join(Folder, "feed");

    /// <summary>The packages' names.</summary>
    internal static IEnumerable<string> Names => Projects.Select(static project => XDocument.Load(project).Descendants("PackageId").SingleOrDefault()?.Value ?? Path.GetFileNameWithoutExtension(project));

    internal static IEnumerable<string> Projects => Directory.EnumerateFiles(Path.Join(Checkout.Root, "src"), "*.csproj", SearchOption.AllDirectories)
        .Concat(Directory.EnumerateFiles(Path.Join(Checkout.Root, "adapters"), "*.csproj", SearchOption.AllDirectories))
        .Where(static project => XDocument.Load(project).Descendants("IsPackable").SingleOrDefault()?.Value != "false")
        .Append(Path.Join(Checkout.Root, "templates", "Postrider.Templates.csproj"))
        .Append(Path.Join(Checkout.Root, "apps", "postrider", "postrider.csproj"))
        .Order(StringComparer.Ordinal);

    public async ValueTask InitializeAsync()
    {
        // A folder for each, since names that differ in case alone may not stand in one. One build for all of them: in parallel, and each library once. Analyzers have seen the same sources in the repository's own build.
        var solution = Path.Join(Folder, "packages.slnx");
        await File.WriteAllTextAsync(solution, $"<Solution>{string.Concat(Projects.Select(static (project, i) => $"<Folder Name=\"/{i}/\"><Project Path=\"{project}\" /></Folder>"))}</Solution>");
        await DotnetCommand.SdkAsync(Checkout.Root, "pack", solution, "-c", "Release", "-p:PackageVersion=" + Version, "-p:RunAnalyzers=false", "-o", Feed, "-nologo", "-v", "q");
    }

    public ValueTask DisposeAsync()
    {
        Directory.Delete(Folder, recursive: true);
        return ValueTask.CompletedTask;
    }

    /// <summary>Makes a folder of a user's: no file of the repository above it, the packed packages as its only source, and what these
    /// depend on taken from the machine's package folder: nothing is downloaded.</summary>
    /// <param name="name">Of the folder.</param>
    /// <param name="fromMachine">Whether the machine's package folder is a source as well, for versions such as 10.*.</param>
    internal async Task<string> UserFolderAsync(string name, bool fromMachine = false)
    {
        var folder = Directory.CreateDirectory(Path.Join(Folder, name)).FullName;
        var cache = Environment.GetEnvironmentVariable("NUGET_PACKAGES")
            ?? Path.Join(Environment.GetFolderPath(Environment.SpecialFolder.UserProfile), ".nuget", "packages");
        await File.WriteAllTextAsync(Path.Join(folder, "nuget.config"), $"""
            <configuration>
              <packageSources><clear /><add key="packed" value="{Feed}" />{(fromMachine ? $"<add key=\"installed\" value=\"{cache}\" />" : "")}</packageSources>
              <config><add key="globalPackagesFolder" value="{Path.Join(Folder, "packages")}" /></config>
              <fallbackPackageFolders><clear /><add key="machine" value="{cache}" /></fallbackPackageFolders>
            </configuration>
            """);
        return folder;
    }

    /// <summary>Makes a user's project of one file.</summary>
    /// <param name="name">Of the folder, the project and the program.</param>
    /// <param name="program">What Program.cs holds.</param>
    /// <param name="references">Names of packed packages, or of others with their version behind a slash.</param>
    /// <param name="properties">Further properties of the project, as XML.</param>
    internal async Task<string> UserProjectAsync(string name, string program, string[] references, string properties = "")
    {
        var folder = await UserFolderAsync(name);
        await File.WriteAllTextAsync(Path.Join(folder, name + ".csproj"), $"""
            <Project Sdk="Microsoft.NET.Sdk">
              <PropertyGroup>
                <OutputType>Exe</OutputType>
                <TargetFramework>net10.0</TargetFramework>
                <ImplicitUsings>enable</ImplicitUsings>
                <Nullable>enable</Nullable>
                <NuGetAudit>false</NuGetAudit>
                {properties}
              </PropertyGroup>
              <ItemGroup>
                <FrameworkReference Include="Microsoft.AspNetCore.App" />
                {string.Concat(references.Select(static reference => $"<PackageReference Include=\"{reference.Split('/')[0]}\" Version=\"{reference.Split('/').ElementAtOrDefault(1) ?? Version}\" />"))}
              </ItemGroup>
            </Project>
            """);
        await File.WriteAllTextAsync(Path.Join(folder, "Program.cs"), program);
        return folder;
    }
}
