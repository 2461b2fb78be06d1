using System.CommandLine;
using Postrider.Client;
using Postrider.Client.Credentials;

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
    private readonly Option<string?> _credentials = new("--creds") { Description = "Credentials file: the user's token and seed" };
    private readonly Option<string?> _nkey = new("--nkey") { Description = "File with the seed of an nkey user" };

    private readonly Option<string?> _authority = new("--tlsca") { Description = "File with the authorities of the server's certificate, in PEM format" };
    private readonly Option<string?> _certificate = new("--tlscert") { Description = "File with the client's certificate, in PEM format" };
    private readonly Option<string?> _key = new("--tlskey") { Description = "File with the key of the client's certificate" };
    private readonly Option<bool> _tlsFirst = new("--tlsfirst") { Description = "Begin TLS before the server's first word" };

    private readonly Option<TimeSpan?> _timeout = JetStreamVerb.Time("--timeout", "How long to wait for the server and for replies (5s)");

    private readonly Option<bool> _json = new("--json") { Description = "Write JSON for scripts" };

    /// <summary>Puts the options on a verb.</summary>
    internal void AddTo(Command verb)
    {
        foreach (var option in (Option[])[_server, _user, _password, _token, _credentials, _nkey, _authority, _certificate, _key, _tlsFirst, _timeout, _json])
            verb.Options.Add(option);
        verb.Validators.Add(result =>
        {
            Option[] given = [.. new Option[] { _credentials, _nkey, _token, _user }.Where(option => JetStreamVerb.IsGiven(result, option))];
            if (given.Length > 1) result.AddError($"Use one of {string.Join(" and ", given.Select(static option => option.Name))}.");
        });
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
            options.Credentials = ReadCredentials(result);
            options.Tls = ReadTls(result);
            options.ConnectTimeout = timeout;
            options.RequestTimeout = timeout;
        }
    }

    private ClientCredentials? ReadCredentials(ParseResult result)
    {
        if (result.GetValue(_credentials) is { } file) return NatsCredentials.FromFile(file);
        return result.GetValue(_nkey) is { } seed ? NatsCredentials.FromSeedFile(seed) : null;
    }

    private TlsOptions? ReadTls(ParseResult result)
    {
        var tls = new TlsOptions
        {
            CaFile = result.GetValue(_authority),
            CertFile = result.GetValue(_certificate),
            KeyFile = result.GetValue(_key),
            HandshakeFirst = result.GetValue(_tlsFirst),
        };
        return tls is { CaFile: null, CertFile: null, KeyFile: null, HandshakeFirst: false } ? null : tls;
    }
}
