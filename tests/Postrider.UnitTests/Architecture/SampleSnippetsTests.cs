using System.Text.RegularExpressions;

namespace Postrider.UnitTests.Architecture;

/// <summary>Guides whose C# is that of a sample, which is compiled and run.</summary>
public sealed partial class SampleSnippetsTests
{
    public static TheoryData<string, string[]> Guides => new()
    {
        { "docs/guide/hosting.md", ["samples/ParcelDesk"] },
        { "docs/guide/rabbitmq.md", ["tests/Postrider.TransportTests/Guide"] },
        { "docs/guide/aws.md", ["tests/Postrider.TransportTests/Guide"] },
        { "docs/guide/cloudevents.md", ["tests/Postrider.TransportTests/Guide"] },
        { "docs/guide/grpc-transport.md", ["tests/Postrider.TransportTests/Guide"] },
        { "docs/guide/kafka.md", ["tests/Postrider.TransportTests/Guide"] },
        { "docs/guide/service-bus.md", ["tests/Postrider.TransportTests/Guide"] },
        { "docs/guide/dead-letters.md", ["tests/Postrider.TransportTests/Guide"] },
        { "docs/guide/outbox.md", ["tests/Postrider.OutboxTests/Guide"] },
        { "docs/guide/sagas.md", ["tests/Postrider.OutboxTests/Guide"] },
        { "docs/guide/from-masstransit.md", ["tests/Postrider.OutboxTests/Guide", "tests/Postrider.TransportTests/Guide"] },
        { "docs/guide/from-wolverine.md", ["tests/Postrider.OutboxTests/Guide"] },
        { "docs/guide/from-nservicebus.md", ["tests/Postrider.OutboxTests/Guide", "tests/Postrider.TransportTests/Guide"] },
        { "docs/guide/claim-check.md", ["tests/Postrider.TransportTests/Guide"] },
    };

    [Theory]
    [MemberData(nameof(Guides))]
    public void Every_piece_of_the_guide_stands_in_a_sample(string guide, string[] samples)
    {
        var sources = samples.SelectMany(static sample => Repository.Files(sample, ".cs")).Select(static file => Lines(Repository.Read(file))).ToList();
        var pieces = Piece().Matches(Repository.Read(guide)).Select(static piece => (Usings: piece.Groups["usings"].Value, Code: Lines(piece.Groups["code"].Value))).ToList();

        Assert.NotEmpty(pieces);
        Findings.None(pieces.Where(piece => !sources.Exists(source => source.Contains(piece.Code, StringComparison.Ordinal))).Select(static piece => piece.Code).Where(static code => code.Trim().Length > 0));

        // A sample's file has its usings at the top, and sees the namespaces that its own is in.
        var usings = pieces.SelectMany(static piece => piece.Usings.Split('\n', StringSplitOptions.RemoveEmptyEntries));
        Findings.None(usings.Where(static line => line != "using Postrider;").Where(line => !sources.Exists(source => source.Contains($"\n{line}\n", StringComparison.Ordinal))));
    }

    private static string Lines(string code)
        => "\n" + string.Join("\n", code.Split('\n').Select(static line => line.Trim()).Where(static line => line.Length > 0)) + "\n";

    [GeneratedRegex("^```csharp\n(?<usings>(using [\\w.]+;\n)*)(?<code>.*?)^```", RegexOptions.Singleline | RegexOptions.Multiline)]
    private static partial Regex Piece();
}
