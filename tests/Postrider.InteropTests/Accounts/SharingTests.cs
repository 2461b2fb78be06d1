using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.Accounts;

/// <summary>Exports and imports of accounts: both servers must do and say the same.</summary>
public sealed class SharingTests : IDisposable
{
    private readonly List<string> _folders = [];

    public static MatrixTheoryData<ServerKind, string> Streams => new(Enum.GetValues<ServerKind>(), StreamImportConversations.Names);

    public static MatrixTheoryData<ServerKind, string> Services => new(Enum.GetValues<ServerKind>(), ServiceImportConversations.Names);

    public static MatrixTheoryData<ServerKind, string> Access => new(Enum.GetValues<ServerKind>(), ServiceAccessConversations.Names);

    public static MatrixTheoryData<ServerKind, string> Reloads => new(Enum.GetValues<ServerKind>(), SharingReloadConversations.Names);

    public static MatrixTheoryData<ServerKind, string> Latencies => new(Enum.GetValues<ServerKind>(), LatencyConversations.Names);

    public static TheoryData<string> JetStream => [.. JetStreamImportConversations.Names];

    [Theory]
    [MemberData(nameof(Streams))]
    public Task Imported_messages_go_as_written(ServerKind kind, string name)
        => HoldAsync(kind, StreamImportConversations.Configuration(name), StreamImportConversations.Script(name));

    [Theory]
    [MemberData(nameof(Services))]
    public Task Imported_services_answer_as_written(ServerKind kind, string name)
        => HoldAsync(kind, ServiceImportConversations.Configuration(name), ServiceImportConversations.Script(name));

    [Theory]
    [MemberData(nameof(Access))]
    public Task What_is_not_exported_stays_closed(ServerKind kind, string name)
        => HoldAsync(kind, ServiceAccessConversations.Configuration(name), ServiceAccessConversations.Script(name));

    [Theory]
    [MemberData(nameof(Latencies))]
    public Task Answers_are_measured_as_written(ServerKind kind, string name)
        => HoldAsync(kind, LatencyConversations.Configuration(name), LatencyConversations.Script(name));

    [Theory]
    [MemberData(nameof(Reloads))]
    public async Task Exports_and_imports_change_with_a_reload(ServerKind kind, string name)
    {
        var (before, after, script) = SharingReloadConversations.Get(name);
        await using var reloading = await ReloadingServer.StartAsync(kind, before);

        var received = await SharingConversation.HoldAsync(reloading.Port, script, () => reloading.ReloadAsync(after));

        Assert.Equal(Conversation.Expected(script), received);
    }

    [Theory]
    [MemberData(nameof(JetStream))]
    public async Task Streams_of_another_account_are_the_same_through_both_servers(string name)
    {
        var expected = await HoldJetStreamAsync(ServerKind.Go, name);
        var actual = await HoldJetStreamAsync(ServerKind.Postrider, name);

        Assert.Contains("io.nats.jetstream.api.v1.", expected, StringComparison.Ordinal);
        Assert.Equal(expected, actual);
    }

    public void Dispose() => _folders.ForEach(static folder => Directory.Delete(folder, recursive: true));

    private static async Task HoldAsync(ServerKind kind, string configuration, string script)
    {
        await using var server = await ServerProcess.StartAsync(kind, "-c", ServerProcess.WriteConfiguration(configuration));

        var received = await SharingConversation.HoldAsync(server.Port, script);

        Assert.Equal(Conversation.Expected(script), received);
    }

    private async Task<string> HoldJetStreamAsync(ServerKind kind, string name)
    {
        var folder = Directory.CreateTempSubdirectory("postrider-sharing-").FullName;
        _folders.Add(folder);
        var configuration = JetStreamImportConversations.Configuration(name).Replace("{store}", folder, StringComparison.Ordinal);
        await using var server = await ServerProcess.StartAsync(kind, "-c", ServerProcess.WriteConfiguration(configuration));

        return await SharingConversation.HoldAsync(server.Port, JetStreamImportConversations.Script(name));
    }
}
