using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.Protocol;

/// <summary>Conversations in bytes: both servers must say exactly what is written here.</summary>
public sealed class ConversationTests(DefaultServers servers) : IClassFixture<DefaultServers>
{
    public static MatrixTheoryData<ServerKind, string> Core => new(Enum.GetValues<ServerKind>(), CoreConversations.Names);

    public static MatrixTheoryData<ServerKind, string> Errors => new(Enum.GetValues<ServerKind>(), ErrorConversations.Names);

    public static MatrixTheoryData<ServerKind, string> Configured => new(Enum.GetValues<ServerKind>(), ConfiguredConversations.Names);

    [Theory]
    [MemberData(nameof(Core))]
    public async Task Core_conversation_goes_as_written(ServerKind kind, string name)
        => await HoldAsync(kind, CoreConversations.Script(name));

    [Theory]
    [MemberData(nameof(Errors))]
    public async Task Conversation_that_goes_wrong_goes_wrong_as_written(ServerKind kind, string name)
        => await HoldAsync(kind, ErrorConversations.Script(name));

    [Theory]
    [MemberData(nameof(Configured))]
    public async Task Conversation_with_a_configured_server_goes_as_written(ServerKind kind, string name)
    {
        await using var server = await ServerProcess.StartAsync(kind, "-c", ServerProcess.WriteConfiguration(ConfiguredConversations.Configuration(name)));

        var received = await Conversation.HoldAsync(server.Port, ConfiguredConversations.Script(name));

        Assert.Equal(Conversation.Expected(ConfiguredConversations.Script(name)), received);
    }

    private async Task HoldAsync(ServerKind kind, string script)
    {
        var server = await servers.GetAsync(kind);

        var received = await Conversation.HoldAsync(server.Port, script);

        Assert.Equal(Conversation.Expected(script), received);
    }
}
