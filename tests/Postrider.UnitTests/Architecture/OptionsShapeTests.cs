using System.Text.RegularExpressions;

namespace Postrider.UnitTests.Architecture;

/// <summary>Options have one shape: sealed records, which are compared by their values and copied with changes.</summary>
public sealed partial class OptionsShapeTests
{
    private static readonly Dictionary<string, string> Others = new(StringComparer.Ordinal)
    {
        ["Postrider.Dispatch.DispatchOptions"] = "collects routes and replacements",
        ["Postrider.Sagas.SagaOptions"] = "collects the settings of each saga",
        ["Postrider.Flow.FlowOptions"] = "the base of the options for items",
        ["Postrider.Flow.FlowOptions<TItem>"] = "the base of the options for items and results",
        ["Postrider.Flow.FlowOptions<TItem, TResult>"] = "a generic form of a base",
    };

    [Fact]
    public void Options_are_sealed_records()
    {
        var found = OptionTypes().ToList();

        Assert.True(found.Count > 50, $"Only {found.Count} types with options were found.");
        Findings.None(found
            .Where(type => type.Kind is not ("sealed record" or "abstract record") && !Others.ContainsKey(type.Name))
            .Select(type => $"{type.Name} is a {type.Kind}. Options are sealed records; what collects declarations is listed in {nameof(OptionsShapeTests)}."));
        Findings.None(Others.Keys.Except(found.Select(type => type.Name)).Select(name => $"{name} is listed in {nameof(OptionsShapeTests)} and does not exist."));
    }

    // Types of the migration packages have the shape of what they replace.
    private static IEnumerable<(string Kind, string Name)> OptionTypes() =>
        from file in Repository.Files("api", ".txt")
        where !Path.GetFileName(file).Contains(".Compat.", StringComparison.Ordinal)
        from line in Repository.Read(file).Split('\n')
        let type = OptionType().Match(line)
        where type.Success
        select (type.Groups["kind"].Value, type.Groups["name"].Value);

    [GeneratedRegex(@"^public (?<kind>(?:[a-z]+ )*(?:class|record|struct)) (?<name>[\w.]+Options(?:<[^>]+>)?)(?= |$)")]
    private static partial Regex OptionType();
}
