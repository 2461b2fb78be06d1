using Postrider.Broker;
using Postrider.Client;
using Postrider.Client.Services;
using Postrider.CommandLine.Contexts;
using Postrider.CommandLine.Verbs;
using Postrider.SystemTests.CommandLine;

namespace Postrider.SystemTests.Guides;

/// <summary>The terminal sessions of the guide, against a server of their own for each section.</summary>
public sealed class CommandLineGuideTests : IAsyncLifetime
{
    internal const string Guide = "docs/guide/command-line.md";

    // A service with one operation, for the section about contracts.
    private const string ClockWsdl = """
        <definitions name="Clock" targetNamespace="urn:clock" xmlns="http://schemas.xmlsoap.org/wsdl/" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/" xmlns:c="urn:clock">
          <types>
            <xs:schema elementFormDefault="qualified" targetNamespace="urn:clock" xmlns:xs="http://www.w3.org/2001/XMLSchema">
              <xs:element name="Now"><xs:complexType><xs:sequence><xs:element minOccurs="0" name="zone" nillable="true" type="xs:string"/></xs:sequence></xs:complexType></xs:element>
              <xs:element name="NowResponse"><xs:complexType><xs:sequence><xs:element minOccurs="0" name="NowResult" type="xs:dateTime"/></xs:sequence></xs:complexType></xs:element>
            </xs:schema>
          </types>
          <message name="NowInput"><part name="parameters" element="c:Now"/></message>
          <message name="NowOutput"><part name="parameters" element="c:NowResponse"/></message>
          <portType name="IClock">
            <operation name="Now"><input message="c:NowInput"/><output message="c:NowOutput"/></operation>
          </portType>
          <binding name="Basic" type="c:IClock">
            <soap:binding transport="http://schemas.xmlsoap.org/soap/http"/>
            <operation name="Now"><soap:operation soapAction="urn:clock/Now"/><input><soap:body use="literal"/></input><output><soap:body use="literal"/></output></operation>
          </binding>
        </definitions>
        """;

    private static readonly List<GuideBlock> s_blocks = GuideBlock.Read(File.ReadAllText(Checkout.PathOf(Guide)));

    // The page's addresses are examples; the selected context has that of the broker.
    private readonly GuideFolder _folder = new([]);
    private NatsBroker _broker = null!;
    private NatsClient _shop = null!;

    public static TheoryData<string> Sections => [.. s_blocks.Where(static block => block.Language == "console").Select(static block => block.Section).Distinct()];

    public async ValueTask InitializeAsync()
    {
        _broker = await NatsBroker.StartAsync(new BrokerOptions
        {
            Port = BrokerOptions.RandomPort,
            ServerName = "hub",
            JetStream = new Postrider.Broker.JetStreamOptions { StoreDirectory = _folder.PathOf("js") },
            Accounts =
            [
                new AccountOptions { Name = "APP", JetStream = new JetStreamAccountLimits(), Users = [new UserOptions { Name = "app", Password = "secret" }] },
                new AccountOptions { Name = "SYS", Users = [new UserOptions { Name = "admin", Password = "secret" }] },
            ],
            SystemAccount = "SYS",
        });
        var store = new ContextStore(_folder.PathOf("config/nats"));
        store.Save(Context("app", "app"));
        store.Save(Context("system", "admin"));
        store.Select("app");
        await File.WriteAllTextAsync(_folder.PathOf("clock.wsdl"), ClockWsdl + "\n");
        _shop = await ConnectAsync("app", "shop");
        _shop.AddService(new ServiceOptions { Name = "shop", Version = "1.2.0", Description = "Sells tea" })
            .AddEndpoint<string, string>("price", (request, _) => ValueTask.FromResult($"{request.Data.Length}"), new EndpointOptions { Subject = "shop.price" });
        await _shop.FlushAsync();
    }

    public async ValueTask DisposeAsync()
    {
        await _shop.DisposeAsync();
        await _broker.DisposeAsync();
        _folder.Dispose();
    }

    [Theory]
    [MemberData(nameof(Sections))]
    public async Task Commands_print_what_the_guide_says(string section)
    {
        // The section on contexts begins without any.
        if (section == "Contexts") Directory.Delete(_folder.PathOf("config"), recursive: true);
        var blocks = GuideBlock.Read(await File.ReadAllTextAsync(Checkout.PathOf(Guide)));
        await using var session = new TerminalSession([.. blocks.Where(block => block.Section == section)], _folder);

        // Connections that came before are not among the events that the section shows.
        await using var watcher = section == "Events" ? await ConnectAsync("admin", "watcher") : null;
        await using var marker = watcher is null ? null : await WaitForEventsAsync(watcher);

        await GuideDifference.NoneAsync(await session.RunAsync(), Checkout.PathOf(Guide));
    }

    [Fact]
    public void Every_command_has_a_session()
    {
        var commands = TerminalSession.Commands(s_blocks).ToList();

        var without = CommandTree.Walk(PostriderCommand.Create())
            .Where(static verb => verb.Path.Length > 0 && !verb.Command.Hidden && (verb.Command.Subcommands.Count == 0 || verb.Command.Action is not null))
            .Select(static verb => verb.Path)
            .Where(path => !commands.Any(command => $"{command} ".Contains($"postrider {path} ", StringComparison.Ordinal)))
            .ToList();

        Assert.Equal([], without);
    }

    private Task<NatsClient> ConnectAsync(string user, string name)
        => NatsClient.ConnectAsync(_broker.Url!, options => (options.User, options.Password, options.Name) = (user, "secret", name));

    // Events come in order: when that of a new connection is there, so are those of the others.
    private async Task<NatsClient> WaitForEventsAsync(NatsClient watcher)
    {
        await using var connects = watcher.Subscribe<string>("$SYS.ACCOUNT.APP.CONNECT");
        await watcher.FlushAsync();
        var marker = await ConnectAsync("app", "marker");
        while (!(await connects.ReadAsync().AsTask().WaitAsync(ServerProcess.Patience)).Data.Contains("\"marker\"", StringComparison.Ordinal))
        {
        }
        return marker;
    }

    private NatsContext Context(string name, string user)
    {
        var context = NatsContext.Create(name);
        (context["url"], context["user"], context["password"]) = (_broker.Url, user, "secret");
        return context;
    }
}
