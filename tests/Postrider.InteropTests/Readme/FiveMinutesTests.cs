using System.Text.RegularExpressions;
using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.Readme;

/// <summary>The README's five minutes, as they are written: the same commands, the same output.</summary>
public sealed partial class FiveMinutesTests
{
    private const string Prompt = "$ postrider ";

    private static readonly string[] Blocks = [.. File.ReadAllText(Path.Combine(Tools.Repository, "README.md")).Split("```").Where((_, i) => i % 2 == 1)];

    private static readonly string[] Shells = [.. Blocks.Select(block => block.Trim()).Where(block => block.StartsWith(Prompt, StringComparison.Ordinal))];

    [Fact]
    public async Task Order_desk_answers_the_command_line_and_the_node_client_as_written()
    {
        await using var desk = ForeignProgram.Start(Path.Combine(AppContext.BaseDirectory, "order-desk"), "-p", "-1", "-m", "-1");
        var address = await AddressAsync(desk);

        await CommandsRunAsWrittenAsync(Shells[0], address);

        var place = Array.FindIndex(Blocks, block => block.StartsWith("js\n", StringComparison.Ordinal));
        var script = Blocks[place]["js\n".Length..];
        Assert.Contains("\"127.0.0.1:4222\"", script, StringComparison.Ordinal);
        Assert.Equal(Blocks[place + 1].Trim(), (await RunNodeAsync(script.Replace("\"127.0.0.1:4222\"", $"\"{address}\"", StringComparison.Ordinal))).Trim());

        foreach (var shell in Shells[1..]) await CommandsRunAsWrittenAsync(shell, address);
    }

    private static async Task CommandsRunAsWrittenAsync(string shell, string address)
    {
        foreach (var step in shell.Split(Prompt, StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries))
        {
            var lines = step.Split('\n', 2);
            string[] arguments = [.. Word().Matches(lines[0]).Select(word => word.Value.Trim('\'')), "--server", $"nats://{address}"];
            Assert.Equal(lines[1], await OutputAsync(arguments, lines[1]));
        }
    }

    // A projection follows what it shows: who reads too early reads again.
    private static async Task<string> OutputAsync(string[] arguments, string expected)
    {
        using var patience = new CancellationTokenSource(TimeSpan.FromSeconds(60));
        while (true)
        {
            try
            {
                var output = (await ForeignProgram.RunAsync(Tools.Postrider, arguments)).Trim();
                if (output == expected || arguments[0] != "kv" || patience.IsCancellationRequested) return output;
            }
            catch (InvalidOperationException) when (arguments[0] == "kv" && !patience.IsCancellationRequested)
            {
                // The key is not there yet.
            }
        }
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
