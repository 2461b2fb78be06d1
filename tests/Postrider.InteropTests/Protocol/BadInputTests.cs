using System.Text.RegularExpressions;
using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.Protocol;

/// <summary>Bad inputs: ours must answer each as Go's server answers it in the same minute, and must go on serving.</summary>
public sealed partial class BadInputTests(DefaultServers servers) : IClassFixture<DefaultServers>
{
    public static TheoryData<string> Names => [.. BadInputs.All.Keys];

    [Fact]
    public void There_are_at_least_two_hundred()
        => Assert.InRange(BadInputs.All.Count, 200, int.MaxValue);

    [Theory]
    [MemberData(nameof(Names))]
    public async Task Bad_input_gets_what_Go_answers_and_leaves_the_server_serving(string name)
    {
        var answers = await Task.WhenAll(AnswerAsync(ServerKind.Go, BadInputs.All[name]), AnswerAsync(ServerKind.Postrider, BadInputs.All[name]));

        Assert.Equal(answers[0], answers[1]);
        Assert.Equal("", await StillServesAsync(ServerKind.Postrider));
    }

    [Theory]
    [MemberData(nameof(BadInputs.DecidedDifferences), MemberType = typeof(BadInputs))]
    public async Task Decided_difference_is_as_decided_and_still_a_difference(string input, string ours, string reason)
    {
        Assert.Equal(ours, await AnswerAsync(ServerKind.Postrider, input));

        Assert.True(ours != await AnswerAsync(ServerKind.Go, input), $"No difference any more: {reason}");
    }

    private async Task<string> AnswerAsync(ServerKind kind, string input)
    {
        var server = await servers.GetAsync(kind);
        await using var connection = await RawConnection.OpenAsync(server.Port);

        // A PING behind the input tells a connection that lives from one that was closed, and from one that still waits.
        await connection.SendAsync(input);
        await connection.SendAsync("PING\r\n");
        return InfoLine().Replace(await connection.ToEndAsync(), "INFO (each server's own)\r\n");
    }

    [GeneratedRegex("INFO \\{.*\\}\\s*\r\n")]
    private static partial Regex InfoLine();

    private async Task<string> StillServesAsync(ServerKind kind)
    {
        await using var connection = await RawConnection.OpenAsync((await servers.GetAsync(kind)).Port);
        return await connection.FenceAsync();
    }
}
