using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.JetStream;

/// <summary>
/// nats.js's jetstream, kv and obj packages: what they print is the same whichever server they talk to. Every story has a
/// server and a folder of its own; what is expected stands in <c>node/expected</c>.
/// </summary>
public sealed class NodeStoryTests
{
    /// <summary>What the account of the story of that name may use, as <see cref="AccountLimitTests"/> has it.</summary>
    private const string Limited = "js-limits";

    /// <summary>Each story and the server it is told to: all of them to both.</summary>
    public static TheoryData<string, ServerKind> Told
    {
        get
        {
            var told = new TheoryData<string, ServerKind>();
            foreach (var story in Directory.EnumerateFiles(Path.Combine(Tools.NodeStories, "expected"), "js-*.txt").Order(StringComparer.Ordinal))
            {
                told.Add(Path.GetFileNameWithoutExtension(story), ServerKind.Go);
                told.Add(Path.GetFileNameWithoutExtension(story), ServerKind.Postrider);
            }

            return told;
        }
    }

    // Go's server has races of its own: now and then it deletes a stream and loses the advisory that says so. What it can do it does
    // once in so many times; ours has one.
    private const int TimesForGo = 3;

    [Theory]
    [MemberData(nameof(Told))]
    public async Task Is_told_as_it_is_written_down(string story, ServerKind kind)
    {
        var expected = (await File.ReadAllTextAsync(Path.Combine(Tools.NodeStories, "expected", story + ".txt"))).TrimEnd();
        var told = await TellAsync(story, kind);
        for (var time = 1; kind == ServerKind.Go && told != expected && time < TimesForGo; time++)
            told = await TellAsync(story, kind);

        Assert.Equal(expected, told);
    }

    private static async Task<string> TellAsync(string story, ServerKind kind)
    {
        var folder = Directory.CreateTempSubdirectory("postrider-interop-");
        try
        {
            string[] flags = story == Limited ? ["-c", AccountLimitTests.Configuration(kind, folder.FullName)] : ["-js", "-sd", folder.FullName];
            await using var server = await ServerProcess.StartAsync(kind, flags);
            return await Story.ByNodeAsync(story, server);
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }
}
