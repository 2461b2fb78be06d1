using System.CommandLine;
using Postrider.Client;

namespace Postrider.CommandLine.Verbs;

/// <summary>Which server to talk to, and as whom: the same options for every verb that is a client.</summary>
internal sealed class ServerOptions
{
    private const string AddressVariable = "NATS_URL";
    private const string DefaultAddress = "nats://127.0.0.1:4222";

    private static readonly TimeSpan DefaultTimeout = TimeSpan.FromSeconds(5);

    private readonly Option<string> _server = new("--server", "-s")
    {
        Description = $"Server addresses, separated by commas; default: ${AddressVariable} if set",
        DefaultValueFactory = _ => Environment.GetEnvironmentVariable(AddressVariable) is { Length: > 0 } address ? address : DefaultAddress,
    };

    private readonly Option<string?> _user = new("--user") { Description = "User name" };
    private readonly Option<string?> _password = new("--password") { Description = "Password" };
    private readonly Option<string?> _token = new("--token") { Description = "Token" };

    private readonly Option<TimeSpan?> _timeout = JetStreamVerb.Time("--timeout", "How long to wait for the server and for replies (5s)");

    private readonly Option<bool> _json = new("--json") { Description = "Write JSON for scripts" };

    /// <summary>Puts the options on a verb.</summary>
    internal void AddTo(Command verb)
    {
        foreach (var option in (Option[])[_server, _user, _password, _token, _timeout, _json])
            verb.Options.Add(option);
    }

    internal bool Json(ParseResult result) => result.GetValue(_json);

    internal TimeSpan Timeout(ParseResult result) => result.GetValue(_timeout) ?? DefaultTimeout;

    internal string Address(ParseResult result) => result.GetValue(_server)!;

    /// <summary>Connects as the options say.</summary>
    /// <param name="result">The command line.</param>
    /// <param name="name">The connection's name in the server's monitoring.</param>
    /// <param name="ct">Cancels the operation.</param>
    internal Task<NatsClient> ConnectAsync(ParseResult result, string name, CancellationToken ct)
    {
        var timeout = Timeout(result);
        return NatsClient.ConnectAsync(Address(result), Configure, ct);

        void Configure(ClientOptions options)
        {
            options.Name = $"postrider {name}";
            options.User = result.GetValue(_user);
            options.Password = result.GetValue(_password);
            options.Token = result.GetValue(_token);
            options.ConnectTimeout = timeout;
            options.RequestTimeout = timeout;
        }
    }
}
