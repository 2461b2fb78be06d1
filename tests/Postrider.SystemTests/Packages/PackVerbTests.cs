using System.Text.Json;
using System.Xml.Linq;

namespace Postrider.SystemTests.Packages;

/// <summary><c>./dev pack</c>: what it builds.</summary>
public sealed class PackVerbTests
{
    [Fact]
    public async Task Every_package_is_packed_and_nothing_else_is_built()
    {
        var (exitCode, output) = await DotnetCommand.RunAsync(Checkout.Root, "bash", "-c", "POSTRIDER_ROOT=$PWD; . dev.d/lib/packages.sh; packed_projects");

        Assert.Equal(0, exitCode);
        Assert.Equal(
            PackedPackages.Projects.Select(static project => Path.GetRelativePath(Checkout.Root, project)),
            XDocument.Parse(output).Descendants("Project").Select(static project => Path.GetRelativePath(Checkout.Root, project.Attribute("Path")!.Value)).Order(StringComparer.Ordinal));
    }

    [Fact]
    public async Task What_travels_in_a_package_is_built_in_the_configuration_of_that_package()
    {
        var inTheSolution = Path.Join(Checkout.Root, "src", "Postrider.Memory", "Postrider.Memory.csproj");

        var assigned = await DotnetCommand.SdkAsync(
            Checkout.Root, "msbuild", "src/Postrider.Xml/Postrider.Xml.csproj", "-nologo", "-t:AssignProjectConfiguration", "-getItem:ProjectReferenceWithConfiguration",
            "-p:Configuration=Release", "-p:BuildingSolutionFile=true",
            $"-p:CurrentSolutionConfigurationContents=<SolutionConfiguration><ProjectConfiguration Project='{{11111111-1111-1111-1111-111111111111}}' AbsolutePath='{inTheSolution}' BuildProjectInSolution='True'>Release%7CAnyCPU</ProjectConfiguration></SolutionConfiguration>");

        var generator = JsonDocument.Parse(assigned).RootElement.GetProperty("Items").GetProperty("ProjectReferenceWithConfiguration").EnumerateArray()
            .Single(static item => item.GetProperty("Filename").GetString() == "Postrider.Xml.Generator");
        Assert.False(generator.TryGetProperty("GlobalPropertiesToRemove", out var removed), $"A build of the solution removes {removed}.");
    }
}
