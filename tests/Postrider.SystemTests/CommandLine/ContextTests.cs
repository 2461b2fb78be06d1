using Postrider.Broker;
using Postrider.CommandLine.Contexts;

namespace Postrider.SystemTests.CommandLine;

/// <summary>Contexts as files of the <c>nats</c> tool, and which of many settings a verb takes.</summary>
public sealed class ContextTests : IAsyncLifetime
{
    private readonly string _folder = ServerProcess.NewFolder();
    private NatsBroker _broker = null!;

    private ContextStore Store => new(Path.Combine(_folder, "nats"));

    public async ValueTask InitializeAsync() => _broker = await NatsBroker.StartAsync(new BrokerOptions
    {
        Port = BrokerOptions.RandomPort,
        Accounts = [new AccountOptions { Name = "A", Users = [new UserOptions { Name = "ann", Password = "a" }, new UserOptions { Name = "bob", Password = "b" }] }],
    });

    public async ValueTask DisposeAsync()
    {
        await _broker.DisposeAsync();
        Directory.Delete(_folder, recursive: true);
    }

    [Fact]
    public async Task Context_that_the_nats_tool_wrote_is_used_and_its_other_members_are_kept()
    {
        Write("old", $$"""{"description":"","url":"{{_broker.Url}}","socks_proxy":"","user":"ann","password":"a","color_scheme":"blue","tls_first":false,"windows_ca_certs_match":null}""");
        await File.WriteAllTextAsync(Path.Combine(_folder, "nats", "context.txt"), "old");

        Assert.Equal("ann", await UserAsync());
        var (code, _, _) = await RunAsync([], "context", "edit", "old", "--description", "new");

        Assert.Equal(0, code);
        Assert.Equal(("new", "blue"), (Store.Read("old").Description, Store.Read("old")["color_scheme"]));
    }

    [Fact]
    public async Task Flags_win_over_a_named_context_over_the_environment_over_the_selected_one()
    {
        Write("ann", $$"""{"url":"{{_broker.Url}}","user":"ann","password":"a"}""");
        Write("bob", $$"""{"url":"{{_broker.Url}}","user":"bob","password":"b"}""");
        Store.Select("ann");
        (string, string)[] bob = [("NATS_USER", "bob"), ("NATS_PASSWORD", "b")];

        Assert.Equal("ann", await UserAsync());
        Assert.Equal("bob", await UserAsync(bob));
        Assert.Equal("bob", await UserAsync([("NATS_CONTEXT", "bob")]));
        Assert.Equal("ann", await UserAsync(bob, "--context", "ann"));
        Assert.Equal("bob", await UserAsync([], "--context", "ann", "--user", "bob", "--password", "b"));
        Assert.Equal("bob", await UserAsync([.. bob, ("NATS_URL", _broker.Url!), ("XDG_CONFIG_HOME", Path.Combine(_folder, "none"))]));
    }

    [Fact]
    public async Task Selected_context_is_named_where_its_settings_do_not_fit_and_can_be_ignored()
    {
        await using var other = await NatsBroker.StartAsync(new BrokerOptions { Port = BrokerOptions.RandomPort, Authorization = new AuthorizationOptions { User = "eve", Password = "e" } });
        Write("ann", $$"""{"url":"{{_broker.Url}}","user":"ann","password":"a"}""");
        Store.Select("ann");

        var (code, _, errors) = await RunAsync([], "rtt", "-s", other.Url!);
        var (_, _, chosen) = await RunAsync([], "rtt", "-s", other.Url!, "--context", "ann");
        var (ignored, _, _) = await RunAsync([], "rtt", "-s", other.Url!.Replace("//", "//eve:e@", StringComparison.Ordinal), "--no-context", "--count", "1");

        Assert.Equal(1, code);
        Assert.Contains("The login and the certificates are those of the context 'ann'; --server changes only the address. Use --no-context to ignore it.", errors, StringComparison.Ordinal);
        Assert.DoesNotContain("those of the context", chosen, StringComparison.Ordinal);
        Assert.Equal(0, ignored);
    }

    [Theory]
    [InlineData("Context 'none' does not exist. Contexts: broken, proxy, vault.", "rtt", "--context", "none")]
    [InlineData("Context 'broken' is not valid JSON", "rtt", "--context", "broken")]
    [InlineData("Context 'proxy' sets socks_proxy, which is not supported.", "rtt", "--context", "proxy")]
    [InlineData("Context 'vault' takes creds from 'op:', which is not supported. Use the path of a file.", "rtt", "--context", "vault")]
    [InlineData("'../x' is not a valid context name", "context", "select", "../x")]
    [InlineData("Context 'proxy' exists.", "context", "add", "proxy")]
    [InlineData("No context is selected.", "context", "show")]
    [InlineData("Nothing to change.", "context", "edit", "proxy")]
    [InlineData("use --force to delete context proxy", "context", "rm", "proxy")]
    public async Task Context_that_cannot_be_used_is_refused(string why, params string[] args)
    {
        Write("broken", "{\"url\":");
        Write("proxy", """{"socks_proxy":"localhost:1080"}""");
        Write("vault", """{"creds":"op://vault/item"}""");

        var (code, output, errors) = await RunAsync([], args);

        Assert.Equal((1, ""), (code, output));
        Assert.Contains(why, errors, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Files_are_their_owners_alone_and_a_removed_context_is_no_longer_selected()
    {
        await RunAsync([], "context", "add", "mine", "--creds", "my.creds", "--select");
        var file = Path.Combine(_folder, "nats", "context", "mine.json");

        if (!OperatingSystem.IsWindows()) Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(file));
        Assert.True(Path.IsPathRooted(Store.Read("mine").Credentials));
        await RunAsync([], "context", "rm", "mine", "--force");

        Assert.False(File.Exists(file));
        Assert.Null(Store.Selected());
        Assert.Equal("mine", (await File.ReadAllTextAsync(Path.Combine(_folder, "nats", "previous-context.txt"))).Trim());
    }

    [Fact]
    public void Paths_may_name_the_home_folder_and_variables()
    {
        Environment.SetEnvironmentVariable("POSTRIDER_TEST_FOLDER", "/secrets");

        var context = NatsContext.Parse("x", """{"creds":"$POSTRIDER_TEST_FOLDER/a.creds","nkey":"~/a.nk","ca":"file:///ca.pem"}""");

        Assert.Equal(("/secrets/a.creds", "/ca.pem"), (context.Credentials, context.Authority));
        Assert.Equal(Path.Combine(Environment.GetFolderPath(Environment.SpecialFolder.UserProfile), "a.nk"), context.Nkey);
    }

    private void Write(string name, string json)
    {
        Directory.CreateDirectory(Path.Combine(_folder, "nats", "context"));
        File.WriteAllText(Path.Combine(_folder, "nats", "context", name + ".json"), json);
    }

    private async Task<string> UserAsync((string, string)[]? variables = null, params string[] flags)
    {
        var (_, output, errors) = await RunAsync(variables ?? [], ["account", "info", "--json", .. flags]);
        Assert.Equal("", errors);
        return System.Text.Json.JsonDocument.Parse(output).RootElement.GetProperty("user").GetProperty("user").GetString()!;
    }

    private async Task<(int Code, string Output, string Errors)> RunAsync((string Name, string Value)[] variables, params string[] args)
    {
        using var verb = ServerProcess.Start("postrider", ServerProcess.NewFolder(), [("XDG_CONFIG_HOME", _folder), .. variables], args);
        return (await verb.ExitAsync(), verb.Output, verb.Errors);
    }
}
