using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.JetStream;

/// <summary>
/// nats.js's jetstream, kv and obj packages: what they print is the same whichever server they talk to. Every story has a
/// server and a folder of its own; what is expected stands in <c>node/expected</c>.
/// </summary>
public sealed class NodeStoryTests
{
    /// <summary>Each story and the server it is told to.</summary>
    // What our server tells as Go's does so far.
    private static readonly HashSet<string> ToldByUs = new(StringComparer.Ordinal) { "js-features", "js-publish", "js-streams" };

    public static TheoryData<string, ServerKind> Told
    {
        get
        {
            var told = new TheoryData<string, ServerKind>();
            foreach (var story in Directory.EnumerateFiles(Path.Combine(Tools.NodeStories, "expected")).Order(StringComparer.Ordinal))
            {
                var name = Path.GetFileNameWithoutExtension(story);
                told.Add(name, ServerKind.Go);
                if (ToldByUs.Contains(name)) told.Add(name, ServerKind.Postrider);
            }

            foreach (var story in (string[])["js-objects", "js-publish", "js-pull", "js-push", "js-retention", "js-streams"]) told.Add(story, ServerKind.Postrider);

            return told;
        }
    }

    [Theory]
    [MemberData(nameof(Told))]
    public async Task Is_told_as_it_is_written_down(string story, ServerKind kind)
    {
        var expected = await File.ReadAllTextAsync(Path.Combine(Tools.NodeStories, "expected", story + ".txt"));
        var folder = Directory.CreateTempSubdirectory("postrider-interop-");
        try
        {
            await using var server = await ServerProcess.StartAsync(kind, "-js", "-sd", folder.FullName);

            Assert.Equal(expected.TrimEnd(), await Story.ByNodeAsync(story, server));
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }
}
