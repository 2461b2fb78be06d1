using System.Text.RegularExpressions;
using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.JetStream;

/// <summary><c>features.txt</c> says what drives each part of JetStream. What it names exists, and it leaves out nothing that the
/// broker's source knows: fields, operations, advisories.</summary>
public sealed partial class FeatureTableTests
{
    private const int StreamFields = 38;
    private const int ConsumerFields = 35;
    private const string Both = " both";

    private static string Broker => Path.Combine(Tools.Repository, "src", "Postrider.Broker");

    private static string Tests => Path.Combine(Tools.Repository, "tests");

    [Fact]
    public void Every_part_has_something_that_drives_it_and_is_there()
    {
        var wrong = FeatureTable.Read()
            .Where(static feature => feature.Name != "*")
            .SelectMany(static feature => feature.Drivers.Count == 0 ? [$"{feature.Name}: nothing"] : feature.Drivers.Where(static driver => !Exists(driver)).Select(driver => $"{feature.Name}: {driver}"));

        Assert.Equal([], wrong);
    }

    [Fact]
    public void Every_story_is_in_the_table()
    {
        var told = Directory.EnumerateFiles(Path.Combine(Tools.NodeStories, "expected"), "js-*.txt").Select(Path.GetFileNameWithoutExtension);
        var named = FeatureTable.Read().SelectMany(static feature => feature.Drivers).Select(static driver => FeatureTable.Split(driver, ": ").Before).ToHashSet();

        Assert.Equal([], told.Where(story => !named.Contains(story!)));
    }

    [Theory]
    [InlineData("stream fields", "StreamConfig.cs", StreamFields)]
    [InlineData("consumer fields", "ConsumerConfig.cs", ConsumerFields)]
    public void Every_field_has_its_line_in_a_story(string section, string source, int count)
    {
        // 'pedantic' is of the request and not of the configuration.
        var fields = MemberName().Matches(Source(source)).Select(static match => match.Groups[1].Value).Where(static field => field != "pedantic").ToArray();
        var lines = FeatureTable.Section(section).ToDictionary(static feature => feature.Name, static feature => feature.Drivers);

        Assert.Equal(count, fields.Length);
        Assert.Equal([], fields.Where(field => !(lines.GetValueOrDefault(field) ?? [.. lines["*"].Select(driver => driver.Replace("*", field, StringComparison.Ordinal))]).All(Exists)));
    }

    [Fact]
    public void Every_operation_of_the_API_is_in_the_table()
    {
        var operations = Directory.EnumerateFiles(Broker, "*Api.cs", SearchOption.AllDirectories).SelectMany(static file => Operation().Matches(File.ReadAllText(file))).Select(static match => match.Groups[1].Value.TrimEnd('.')).Distinct().ToArray();

        Assert.True(operations.Length > 20, $"Only {operations.Length} operations were found in the source.");
        Assert.Equal([], operations.Except(FeatureTable.Section("API").Select(static feature => feature.Name)));
    }

    [Fact]
    public void Every_advisory_of_consumers_is_in_the_table()
    {
        var verbs = Advisory().Matches(Source("ConsumerAdvisories.cs")).Select(static match => "CONSUMER." + match.Groups[1].Value).ToArray();

        Assert.True(verbs.Length > 5, $"Only {verbs.Length} advisories were found in the source.");
        Assert.Equal([], verbs.Except(FeatureTable.Section("advisories").Select(static feature => feature.Name)));
    }

    // A source of the broker by its name, whatever folder it is in.
    private static string Source(string name) => File.ReadAllText(Directory.EnumerateFiles(Broker, name, SearchOption.AllDirectories).Single());

    private static bool Exists(string driver)
    {
        var (story, line) = FeatureTable.Split(driver, ": ");
        return line.Length > 0 ? IsTold(story, line) : IsTest(driver);
    }

    private static bool IsTold(string story, string line)
    {
        var expected = Path.Combine(Tools.NodeStories, "expected", story + ".txt");
        return File.Exists(Path.Combine(Tools.NodeStories, story + ".mjs")) && File.Exists(expected)
            && File.ReadLines(expected).Any(told => told == line || told.StartsWith(line + ' ', StringComparison.Ordinal));
    }

    private static bool IsTest(string driver)
    {
        var isOfBoth = driver.EndsWith(Both, StringComparison.Ordinal);
        var (type, method) = FeatureTable.Split(isOfBoth ? driver[..^Both.Length] : driver, ".");
        return Directory.EnumerateFiles(Tests, type + ".cs", SearchOption.AllDirectories).Any(file =>
        {
            var text = File.ReadAllText(file);
            return text.Contains($" {method}(", StringComparison.Ordinal) && (!isOfBoth || IsOfBoth(file, text));
        });
    }

    // A class for each server that inherits the tests, or one that speaks to both.
    private static bool IsOfBoth(string file, string text)
    {
        var stem = file[..^"Tests.cs".Length];
        return (File.Exists(stem + "OfGoTests.cs") && File.Exists(stem + "OfBrokerTests.cs"))
            || text.Contains("Enum.GetValues<ServerKind>()", StringComparison.Ordinal)
            || (text.Contains(nameof(ServerKind.Go), StringComparison.Ordinal) && (text.Contains("Broker", StringComparison.Ordinal) || text.Contains("ServerKind.Postrider", StringComparison.Ordinal)));
    }

    [GeneratedRegex("JsonPropertyName\\(\"([a-z_]+)\"\\)")]
    private static partial Regex MemberName();

    [GeneratedRegex("api\\.Map[A-Za-z]*\\(\"([A-Z_.]+)")]
    private static partial Regex Operation();

    [GeneratedRegex("Publish\\(\"([A-Z_]+)\"")]
    private static partial Regex Advisory();
}
