namespace Postrider.InteropTests.Harness;

/// <summary>A story that a foreign client tells a server: a program that prints what happened to it.</summary>
internal static class Story
{
    private const string Asking = "ask: ";

    /// <summary>Told by the official npm clients.</summary>
    public static Task<string> ByNodeAsync(string name, ServerProcess server)
        => HearAsync(ForeignProgram.Start("node", Path.Combine(Tools.NodeStories, name + ".mjs"), server.Url), server);

    /// <summary>Told by the C client.</summary>
    public static Task<string> ByCAsync(string name, ServerProcess server)
        => HearAsync(ForeignProgram.Start(Tools.CLoader, "--library-path", Tools.CLibraries, Tools.CStory, name, server.Url), server);

    private static async Task<string> HearAsync(ForeignProgram teller, ServerProcess server)
    {
        await using (teller)
        {
            var heard = new List<string>();
            while (await teller.NextLineOrEndAsync() is { } line)
            {
                if (line.StartsWith(Asking, StringComparison.Ordinal))
                    await AnswerAsync(line[Asking.Length..], teller, server);
                else
                    heard.Add(line);
            }

            await teller.ToEndAsync();
            return string.Join('\n', heard);
        }
    }

    private static async Task AnswerAsync(string wish, ForeignProgram teller, ServerProcess server)
    {
        if (wish != "restart")
            throw new InvalidOperationException($"The story asks for '{wish}', which nobody can do.");

        await server.KillAsync();
        await server.RestartAsync();
        await teller.TellAsync("done");
    }
}
