using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.Protocol;

/// <summary>SIGHUP with another configuration file: both servers must do and say the same.</summary>
public sealed class ReloadTests
{
    public static MatrixTheoryData<ServerKind, string> Conversations => new(Enum.GetValues<ServerKind>(), ReloadConversations.Names);

    // What a restart is needed for, and the reference's name of it.
    public static MatrixTheoryData<ServerKind, string> Refused => new(Enum.GetValues<ServerKind>(),
    [
        "server_name: two|ServerName: old=one, new=two",
        "http_base_path: \"/x\"|HTTPBasePath: old=, new=/x",
        "no_header_support: true|NoHeaderSupport: old=false, new=true",
        "logfile_size_limit: 100000|LogSizeLimit: old=0, new=100000",
        "logfile_max_num: 3|LogMaxFiles: old=0, new=3",
    ]);

    // What is taken over, in the reference's words.
    public static MatrixTheoryData<ServerKind, string> Taken => new(Enum.GetValues<ServerKind>(),
    [
        "max_payload: 100|max_payload = 100",
        "max_control_line: 1000|max_control_line = 1000",
        "ping_interval: 90s|ping_interval = 1m30s",
        "ping_max: 5|ping_max = 5",
        "write_deadline: 3s|write_deadline = 3s",
        "debug: true|debug = true",
        "max_traced_msg_len: 100|max_traced_msg_len = 100",
        "server_tags: [a, b]|tags",
        "server_metadata: { a: b }|metadata",
        "authorization { timeout: 5 }|authorization timeout = 5",
        "no_fast_producer_stall: true|fast producers will not be stalled",
        "max_connections: 7|max_connections = 7",
    ]);

    [Theory]
    [MemberData(nameof(Conversations))]
    public async Task Conversation_over_a_reload_goes_as_written(ServerKind kind, string name)
    {
        var (before, after, script) = ReloadConversations.Get(name);
        await using var reloading = await ReloadingServer.StartAsync(kind, before);

        var received = await Conversation.HoldAsync(reloading.Port, script, () => reloading.ReloadAsync(after));

        Assert.Equal(Conversation.Expected(script), received);
    }

    [Theory]
    [MemberData(nameof(Refused))]
    public async Task Change_that_needs_a_restart_is_refused_in_the_words_of_Go(ServerKind kind, string change)
    {
        var parts = change.Split('|');
        await using var reloading = await ReloadingServer.StartAsync(kind, "server_name: one");

        var lines = await reloading.ReloadAsync($"{(parts[0].StartsWith("server_name", StringComparison.Ordinal) ? "" : "server_name: one\n")}{parts[0]}");

        Assert.EndsWith($"[ERR] Failed to reload server configuration: config reload not supported for {parts[1]}", lines[^1], StringComparison.Ordinal);
        Assert.DoesNotContain(lines, line => line.Contains("Reloaded", StringComparison.Ordinal));
    }

    [Theory]
    [MemberData(nameof(Taken))]
    public async Task Change_that_is_taken_over_is_told_in_the_words_of_Go(ServerKind kind, string change)
    {
        var parts = change.Split('|');
        await using var reloading = await ReloadingServer.StartAsync(kind, "");

        var lines = await reloading.ReloadAsync(parts[0]);

        Assert.Contains(lines, line => line.EndsWith($"[INF] Reloaded: {parts[1]}", StringComparison.Ordinal));
        Assert.Matches(@"\[INF\] Reloaded server configuration \(sha256:[0-9a-f]{64}\)$", lines[^1]);
    }

    /// <summary>A server with a configuration file that changes.</summary>
}
