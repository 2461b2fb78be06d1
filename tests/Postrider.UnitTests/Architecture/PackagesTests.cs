using System.Xml.Linq;

namespace Postrider.UnitTests.Architecture;

/// <summary>What users install: a package for each library, with what compiles its users' code.</summary>
public sealed class PackagesTests
{
    public static TheoryData<string> Generators => [.. SourceProject.All.Where(IsForTheCompiler).Select(project => project.Folder)];

    [Theory]
    [MemberData(nameof(Generators))]
    public void Generator_is_no_package_of_its_own_and_travels_in_a_librarys(string folder)
    {
        var file = ProjectFile(SourceProject.At(folder));
        var travels = SourceProject.All.Where(project => project.IsLibrary && !IsForTheCompiler(project)).SelectMany(Travellers);

        Assert.Equal("false", file.Descendants("IsPackable").SingleOrDefault()?.Value);
        Assert.Contains(SourceProject.At(folder).Name, travels);
    }

    [Fact]
    public void Library_built_on_one_that_brings_a_generator_hands_it_on()
    {
        var bringers = SourceProject.All.Where(project => Travellers(project).Any()).Select(project => project.Name).ToHashSet();

        // Of what users of a contract write nothing is a handler: they refer to the dispatcher where they have some.
        var held = from project in SourceProject.All
                   where project.IsLibrary
                   from reference in ProjectFile(project).Descendants("ProjectReference")
                   let name = Path.GetFileNameWithoutExtension(reference.Attribute("Include")!.Value)
                   where bringers.Contains(name) && reference.Attribute("PrivateAssets")?.Value != "none"
                   where (project.Name, name) is not ("Postrider.Rpc", "Postrider")
                   select $"{project.Name} -> {name}: without PrivateAssets=\"none\" its package keeps the generator from its users.";

        Findings.None(held);
    }

    private static IEnumerable<string> Travellers(SourceProject project)
        => ProjectFile(project).Descendants("ProjectReference").Where(reference => reference.Attribute("TravelsInPackage")?.Value == "true")
            .Select(reference => Path.GetFileNameWithoutExtension(reference.Attribute("Include")!.Value));

    private static bool IsForTheCompiler(SourceProject project) => ProjectFile(project).Descendants("IsRoslynComponent").Any();

    private static XDocument ProjectFile(SourceProject project) => XDocument.Parse(Repository.Read($"{project.Folder}/{project.Name}.csproj"));
}
