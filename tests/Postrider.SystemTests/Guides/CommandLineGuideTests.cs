using System.Diagnostics;
using Postrider.Broker;
using Postrider.Client;
using Postrider.Client.Services;
using Postrider.CommandLine.Contexts;
using Postrider.CommandLine.Verbs;

namespace Postrider.SystemTests.CommandLine;

/// <summary>The terminal sessions of the guide, against a server of their own for each section.</summary>
public sealed class CommandLineGuideTests : IAsyncLifetime
{
    private const string Guide = "docs/guide/command-line.md";

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

    private readonly string _folder = Directory.CreateTempSubdirectory("postrider-guide-").FullName;
    private NatsBroker _broker = null!;
    private NatsClient _shop = null!;

    public static TheoryData<string> Sections => [.. TerminalSession.Sections(File.ReadAllText(Path.Join(Checkout.Root, Guide)))];

    public async ValueTask InitializeAsync()
    {
        _broker = await NatsBroker.StartAsync(new BrokerOptions
        {
            Port = BrokerOptions.RandomPort,
            ServerName = "hub",
            JetStream = new Postrider.Broker.JetStreamOptions { StoreDirectory = Path.Combine(_folder, "js") },
            Accounts =
            [
                new AccountOptions { Name = "APP", JetStream = new JetStreamAccountLimits(), Users = [new UserOptions { Name = "app", Password = "secret" }] },
                new AccountOptions { Name = "SYS", Users = [new UserOptions { Name = "admin", Password = "secret" }] },
            ],
            SystemAccount = "SYS",
        });
        var store = new ContextStore(Path.Combine(_folder, "config", "nats"));
        store.Save(Context("app", "app"));
        store.Save(Context("system", "admin"));
        store.Select("app");
        await File.WriteAllTextAsync(Path.Combine(_folder, "clock.wsdl"), ClockWsdl + "\n");
        ServerProcess.Link(Path.Combine(_folder, "postrider"));
        _shop = await ConnectAsync("app", "shop");
        _shop.AddService(new ServiceOptions { Name = "shop", Version = "1.2.0", Description = "Sells tea" })
            .AddEndpoint<string, string>("price", (request, _) => ValueTask.FromResult($"{request.Data.Length}"), new EndpointOptions { Subject = "shop.price" });
        await _shop.FlushAsync();
    }

    public async ValueTask DisposeAsync()
    {
        await _shop.DisposeAsync();
        await _broker.DisposeAsync();
        Directory.Delete(_folder, recursive: true);
    }

    [Theory]
    [MemberData(nameof(Sections))]
    public async Task Commands_print_what_the_guide_says(string section)
    {
        // The section on contexts begins without any.
        if (section == "Contexts") Directory.Delete(Path.Combine(_folder, "config"), recursive: true);
        var path = Path.Join(Checkout.Root, Guide);
        var session = TerminalSession.Read(await File.ReadAllTextAsync(path), section);

        // Connections that came before are not among the events that the section shows.
        await using var watcher = section == "Events" ? await ConnectAsync("admin", "watcher") : null;
        await using var marker = watcher is null ? null : await WaitForEventsAsync(watcher);

        var differences = await session.RunAsync(Start);

        if (Environment.GetEnvironmentVariable("POSTRIDER_WRITE_GUIDE") == "1") await WriteAsync(path, section, differences);
        Assert.True(differences.Count == 0, string.Join("\n\n", differences.Select(static one => $"$ {one.Command}\n--- the guide\n{one.Expected}\n--- printed\n{one.Actual}")));
    }

    [Fact]
    public void Every_command_has_a_session()
    {
        var commands = TerminalSession.Commands(File.ReadAllText(Path.Join(Checkout.Root, Guide)));

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

    // Writes what was printed into the page, for review.
    private static async Task WriteAsync(string path, string section, IEnumerable<(string Command, string Expected, string Actual)> differences)
    {
        var page = await File.ReadAllTextAsync(path);
        foreach (var (command, expected, actual) in differences)
        {
            var (before, after) = ($"\n$ {command}\n{(expected.Length > 0 ? expected + "\n" : "")}", $"\n$ {command}\n{(actual.Length > 0 ? actual + "\n" : "")}");
            var at = page.IndexOf(before, page.IndexOf($"\n## {section}\n", StringComparison.Ordinal), StringComparison.Ordinal);
            page = page[..at] + after + page[(at + before.Length)..];
        }
        await File.WriteAllTextAsync(path, page);
    }

    private NatsContext Context(string name, string user)
    {
        var context = NatsContext.Create(name);
        (context["url"], context["user"], context["password"]) = (_broker.Url, user, "secret");
        return context;
    }

    private Process Start(string command)
    {
        var start = new ProcessStartInfo("/bin/sh", ["-c", $"{{ {command}\n}} 2>&1"]) { WorkingDirectory = _folder, RedirectStandardOutput = true, RedirectStandardInput = true };
        foreach (var name in start.Environment.Keys.Where(static name => name.StartsWith("NATS_", StringComparison.Ordinal)).ToList()) start.Environment.Remove(name);
        start.Environment["PATH"] = $"{_folder}:{Environment.GetEnvironmentVariable("PATH")}";
        start.Environment["XDG_CONFIG_HOME"] = Path.Combine(_folder, "config");
        var process = Process.Start(start)!;
        process.StandardInput.Close();
        return process;
    }
}
