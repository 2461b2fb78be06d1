using System.Text.RegularExpressions;
using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.Readme;

/// <summary>The README's five minutes, as they are written: the same commands, the same output.</summary>
public sealed partial class FiveMinutesTests
{
    private static readonly string[] Blocks = [.. File.ReadAllText(Path.Combine(Tools.Repository, "README.md")).Split("```").Where((_, i) => i % 2 == 1)];

    [Fact]
    public async Task Order_desk_answers_the_command_line_and_the_node_client_as_written()
    {
        await using var desk = ForeignProgram.Start(Path.Combine(AppContext.BaseDirectory, "order-desk"), "-p", "-1", "-m", "-1");
        var address = await AddressAsync(desk);

        var shell = Blocks.Single(block => block.StartsWith("\n$ postrider request", StringComparison.Ordinal)).Trim().Split('\n', 2);
        var arguments = Word().Matches(shell[0]["$ postrider ".Length..]).Select(word => word.Value.Trim('\''));
        Assert.Equal(shell[1].Trim(), (await ForeignProgram.RunAsync(Tools.Postrider, [.. arguments, "--server", $"nats://{address}"])).Trim());

        var place = Array.FindIndex(Blocks, block => block.StartsWith("js\n", StringComparison.Ordinal));
        var script = Blocks[place]["js\n".Length..];
        Assert.Contains("\"127.0.0.1:4222\"", script, StringComparison.Ordinal);
        Assert.Equal(Blocks[place + 1].Trim(), (await RunNodeAsync(script.Replace("\"127.0.0.1:4222\"", $"\"{address}\"", StringComparison.Ordinal))).Trim());
    }

    // The line that says where it answers ends in a full sentence.
    private static async Task<string> AddressAsync(ForeignProgram desk)
    {
        while (await desk.NextLineOrEndAsync() is { } line)
        {
            if (Address().Match(line) is { Success: true } found)
                return found.Groups[1].Value;
        }

        throw new InvalidOperationException("The order desk ended before it said where it answers.");
    }

    private static async Task<string> RunNodeAsync(string script)
    {
        var folder = Directory.CreateTempSubdirectory("postrider-readme-");
        try
        {
            Directory.CreateSymbolicLink(Path.Combine(folder.FullName, "node_modules"), Path.Combine(Tools.NodeStories, "node_modules"));
            var file = Path.Combine(folder.FullName, "readme.mjs");
            await File.WriteAllTextAsync(file, script);
            return await ForeignProgram.RunAsync("node", file);
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    [GeneratedRegex("'[^']*'|[^ ]+")]
    private static partial Regex Word();

    [GeneratedRegex(@"answers at nats://([0-9.]+:\d+)")]
    private static partial Regex Address();
}
