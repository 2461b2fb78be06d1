using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Postrider.Broker;
using Postrider.Client;
using Postrider.Client.Credentials;
using Postrider.Client.Hosting;
using Postrider.Configuration;
using Postrider.Credentials;

namespace Postrider.HostingTests.Client;

/// <summary>The key <c>CredentialsFile</c> of a hosted client, at a broker that only knows its operator.</summary>
public sealed class CredentialsFileTests : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("credentials");
    private readonly NkeyPair _operator = NkeyPair.Create(NkeyKind.Operator);
    private readonly NkeyPair _account = NkeyPair.Create(NkeyKind.Account);

    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    public void Dispose()
    {
        _operator.Dispose();
        _account.Dispose();
        _folder.Delete(recursive: true);
    }

    [Fact]
    public async Task Client_connects_with_the_file_of_the_configuration()
    {
        await using var broker = await StartBrokerAsync();
        using var host = Build(builder =>
        {
            builder.AddPostriderClient();
            builder.Services.AddPostriderCredentialsFiles();
        }, ("Servers", broker.Url!), ("CredentialsFile", WriteFile(_account)));

        await host.StartAsync(Ct);

        Assert.Equal(ConnectionState.Connected, host.Services.GetRequiredService<NatsClient>().State);
        await host.StopAsync(Ct);
    }

    [Fact]
    public async Task Rejected_file_ends_the_start_with_the_key_to_check()
    {
        await using var broker = await StartBrokerAsync();
        using var stranger = NkeyPair.Create(NkeyKind.Account);
        using var host = Build(builder =>
        {
            builder.AddPostriderClient();
            builder.Services.AddPostriderCredentialsFiles();
        }, ("Servers", broker.Url!), ("CredentialsFile", WriteFile(stranger)));

        var failure = await Assert.ThrowsAsync<NatsClientException>(() => host.StartAsync(Ct));

        Assert.EndsWith("The server rejected the credentials of Postrider:Client:CredentialsFile.", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Without_the_package_the_error_says_which_one_to_add()
        => Assert.Equal(
            "Postrider:Client:CredentialsFile is set, but this program cannot read such files. Reference the package Postrider.Client.Credentials and call builder.Services.AddPostriderCredentialsFiles().",
            Refusal(static _ => { }, ("CredentialsFile", WriteFile(_account))));

    [Fact]
    public void File_and_a_user_are_refused()
        => Assert.Equal(
            "Postrider:Client:CredentialsFile is set together with User, Password or Token; set one of them.",
            Refusal(static services => services.AddPostriderCredentialsFiles(), ("CredentialsFile", WriteFile(_account)), ("User", "clerk")));

    [Fact]
    public void File_that_does_not_exist_is_refused()
        => Assert.Equal(
            "Postrider:Client:CredentialsFile is '/no/such/clerk.creds'; there is no such file.",
            Refusal(static services => services.AddPostriderCredentialsFiles(), ("CredentialsFile", "/no/such/clerk.creds")));

    private static string Refusal(Action<IServiceCollection> add, params (string Key, string Value)[] settings)
    {
        using var host = Build(builder =>
        {
            builder.AddPostriderClient();
            add(builder.Services);
        }, settings);
        return Assert.Throws<InvalidConfigurationException>(() => host.Services.GetRequiredService<NatsClient>()).Message;
    }

    private static IHost Build(Action<HostApplicationBuilder> configure, params (string Key, string Value)[] settings)
    {
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Configuration.AddInMemoryCollection(settings.ToDictionary(static setting => $"Postrider:Client:{setting.Key}", static setting => (string?)setting.Value, StringComparer.Ordinal));
        builder.Services.AddLogging();
        configure(builder);
        return builder.Build();
    }

    private Task<NatsBroker> StartBrokerAsync() => NatsBroker.StartAsync(new BrokerOptions
    {
        Port = BrokerOptions.RandomPort,
        OperatorMode = new OperatorModeOptions
        {
            Operators = [new OperatorClaims { Subject = _operator.PublicKey, Name = "shop" }.Encode(_operator)],
            Resolver = new MemoryResolverOptions(),
            PreloadedAccounts = new Dictionary<string, string>(StringComparer.Ordinal)
            {
                [_account.PublicKey] = new AccountClaims { Subject = _account.PublicKey, Name = "orders" }.Encode(_operator),
            },
        },
    }, Ct);

    private string WriteFile(NkeyPair account)
    {
        var path = Path.Combine(_folder.FullName, "clerk.creds");
        using var user = NkeyPair.Create(NkeyKind.User);
        using var file = new CredentialsFile(new UserClaims { Subject = user.PublicKey, Name = "clerk" }.Encode(account), user);
        file.Write(path);
        return path;
    }
}
