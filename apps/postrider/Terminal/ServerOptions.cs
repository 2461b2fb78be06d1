using System.CommandLine;
using Postrider.Client;
using Postrider.Client.Credentials;
using Postrider.Client.JetStream;
using Postrider.CommandLine.Contexts;

namespace Postrider.CommandLine.Terminal;

/// <summary>The server and the login: the same options for every verb that is a client.</summary>
internal sealed class ServerOptions
{
    internal const string DefaultAddress = "nats://127.0.0.1:4222";

    private static readonly TimeSpan DefaultTimeout = TimeSpan.FromSeconds(5);

    private readonly Option<string?> _server = new("--server", "-s") { Description = "Server addresses, separated by commas; default: $NATS_URL, then the context's" };
    private readonly Option<string?> _context = new("--context") { Description = "The context to use; default: $NATS_CONTEXT, then the selected one" };

    private readonly Option<bool> _noContext = new("--no-context") { Description = "Ignore the selected context" };

    private readonly Option<string?> _user = new("--user") { Description = "User name" };
    private readonly Option<string?> _password = new("--password") { Description = "Password" };
    private readonly Option<string?> _token = new("--token") { Description = "Token" };
    private readonly Option<string?> _credentials = new("--creds") { Description = "Credentials file: the user's token and seed" };
    private readonly Option<string?> _nkey = new("--nkey") { Description = "File with the seed of an nkey user" };

    private readonly Option<string?> _authority = new("--tlsca") { Description = "File with the authorities of the server's certificate, in PEM format" };
    private readonly Option<string?> _certificate = new("--tlscert") { Description = "File with the client's certificate, in PEM format" };
    private readonly Option<string?> _key = new("--tlskey") { Description = "File with the key of the client's certificate" };
    private readonly Option<bool> _tlsFirst = new("--tlsfirst") { Description = "Start TLS before the server's INFO" };

    private readonly Option<TimeSpan?> _timeout = JetStreamVerb.Wait("--timeout", "How long to wait for the server and for replies (5s)");

    private readonly Option<bool> _json = new("--json") { Description = "Write JSON for scripts" };

    /// <summary>Adds the options to a verb.</summary>
    internal void AddTo(Command verb)
    {
        foreach (var option in (Option[])[_server, _context, _noContext, _user, _password, _token, _credentials, _nkey, _authority, _certificate, _key, _tlsFirst, _timeout, _json])
            verb.Options.Add(option);
        verb.Validators.Add(result =>
        {
            Option[] given = [.. new Option[] { _credentials, _nkey, _token, _user }.Where(option => JetStreamVerb.IsGiven(result, option))];
            if (given.Length > 1) result.AddError($"Use one of {string.Join(" and ", given.Select(static option => option.Name))}.");
            if (result.GetValue(_noContext) && result.GetValue(_context) is not null) result.AddError($"Use one of {_context.Name} and {_noContext.Name}.");
        });
    }

    internal bool Json(ParseResult result) => result.GetValue(_json);

    /// <summary>How long to wait for the server: the option, <c>$NATS_TIMEOUT</c>, or 5 s.</summary>
    /// <exception cref="ContextException">The variable is not a duration.</exception>
    internal TimeSpan Timeout(ParseResult result)
    {
        if (result.GetValue(_timeout) is { } given) return given;
        if (Variable("TIMEOUT") is not { } text) return DefaultTimeout;
        return Duration.Read(text) is { } time && time > TimeSpan.Zero ? time : throw new ContextException($"NATS_TIMEOUT is '{text}', which is not a duration such as 500ms, 5s or 1m.");
    }

    /// <summary>Explains that there is no login, or that the login and the certificates come from a context that the command line does not name; otherwise null.</summary>
    /// <param name="result">The command line.</param>
    /// <param name="error">Why the server could not be used.</param>
    internal string? Explain(ParseResult result, NatsClientException error)
    {
        if (error.Code == NatsErrorCode.AuthorizationFailed && !HasLogin(result))
            return $"There is no login: set {_user.Name} and {_password.Name}, {_token.Name}, {_credentials.Name} or {_nkey.Name}, or select a context.";
        if (error.Code is not (NatsErrorCode.AuthorizationFailed or NatsErrorCode.TlsHandshakeFailed or NatsErrorCode.CredentialsUnavailable or NatsErrorCode.ServerRequirement or NatsErrorCode.InvalidOption)
            || IsChosen(result) || Array.Exists<Option>([_user, _token, _credentials, _nkey, _authority, _certificate], option => JetStreamVerb.IsGiven(result.CommandResult, option))
            || Context(result) is not { } context || !(context.HasUser || context.Authority is not null || context.Certificate is not null || context.TlsFirst))
            return null;
        return $"The login and the certificates are those of the context '{context.Name}'{(result.GetValue(_server) is null ? "" : $"; {_server.Name} changes only the address")}. Use {_noContext.Name} to ignore it.";
    }

    /// <summary>The servers' addresses.</summary>
    /// <exception cref="ContextException">The context cannot be used.</exception>
    internal string Address(ParseResult result)
    {
        if (result.GetValue(_server) is { } given) return given;
        var chosen = Context(result);
        return (IsChosen(result) ? chosen?.Url ?? Variable("URL") : Variable("URL") ?? chosen?.Url) ?? DefaultAddress;
    }

    /// <summary>Which JetStream to talk to.</summary>
    /// <param name="result">The command line.</param>
    /// <param name="domain">The domain that is given, or null for the context's.</param>
    internal JetStreamOptions JetStream(ParseResult result, string? domain = null)
    {
        var context = Context(result);
        var options = new JetStreamOptions { Domain = domain ?? context?.Domain };
        return options.Domain is null && context?.ApiPrefix is { } prefix ? options with { ApiPrefix = prefix } : options;
    }

    /// <summary>Connects with the options.</summary>
    /// <param name="result">The command line.</param>
    /// <param name="name">The connection's name in the server's monitoring.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <exception cref="ContextException">The context cannot be used.</exception>
    internal Task<NatsClient> ConnectAsync(ParseResult result, string name, CancellationToken ct) => ConnectAsync(result, name, Address(result), ct);

    /// <summary>The same to a server of the caller's choice.</summary>
    internal Task<NatsClient> ConnectAsync(ParseResult result, string name, string address, CancellationToken ct)
    {
        var (timeout, context) = (Timeout(result), Context(result));
        context?.RequireSupported();
        return NatsClient.ConnectAsync(address, Configure, ct);

        void Configure(ClientOptions options)
        {
            options.Name = $"postrider {name}";
            ApplyUser(options, result, context);
            options.Tls = ReadTls(result, context);
            options.OptionNames = path => NameOf(path, options);
            options.ConnectTimeout = timeout;
            options.RequestTimeout = timeout;
            if (context?.InboxPrefix is { } inbox) options.InboxPrefix = inbox;
        }
    }

    // The option of the command line that sets one of the client's.
    private string NameOf(string path, ClientOptions options) => path switch
    {
        nameof(ClientOptions.Servers) => _server.Name,
        nameof(ClientOptions.User) => _user.Name,
        nameof(ClientOptions.Password) => _password.Name,
        nameof(ClientOptions.Token) => _token.Name,
        nameof(ClientOptions.Credentials) => $"{_credentials.Name} or {_nkey.Name}",
        nameof(ClientOptions.Tls) => options.Tls switch
        {
            { CaFile: null, CertFile: not null } => _certificate.Name,
            { CaFile: null, CertFile: null, KeyFile: null } => _tlsFirst.Name,
            _ => _authority.Name,
        },
        "Tls.CaFile" => _authority.Name,
        "Tls.CertFile" => _certificate.Name,
        "Tls.KeyFile" => _key.Name,
        nameof(ClientOptions.ConnectTimeout) or nameof(ClientOptions.RequestTimeout) => _timeout.Name,
        "Tls.ServerName" => "",
        _ => path,
    };

    private static string? Variable(string name) => Environment.GetEnvironmentVariable($"NATS_{name}") is { Length: > 0 } value ? value : null;

    private bool HasLogin(ParseResult result)
        => Array.Exists<Option>([_user, _token, _credentials, _nkey], option => JetStreamVerb.IsGiven(result.CommandResult, option))
            || (Variable("USER") ?? Variable("TOKEN") ?? Variable("CREDS") ?? Variable("NKEY")) is not null
            || Context(result) is { HasUser: true } || Address(result).Contains('@', StringComparison.Ordinal);

    private bool IsChosen(ParseResult result) => result.GetValue(_context) is not null;

    private NatsContext? Context(ParseResult result)
    {
        if (result.GetValue(_noContext)) return null;
        var store = ContextStore.OfUser();
        if ((result.GetValue(_context) ?? Variable("CONTEXT")) is { } chosen) return store.Read(chosen);
        // A selected context that was deleted meanwhile is no reason to reject a verb that names its server.
        return store.Selected() is { } selected && store.Exists(selected) ? store.Read(selected) : null;
    }

    // The login comes from one source: the options, a named context, the environment, or the selected context.
    private void ApplyUser(ClientOptions options, ParseResult result, NatsContext? context)
    {
        var isGiven = (result.GetValue(_user) ?? result.GetValue(_token) ?? result.GetValue(_credentials) ?? result.GetValue(_nkey)) is not null;
        var isInEnvironment = (Variable("USER") ?? Variable("TOKEN") ?? Variable("CREDS") ?? Variable("NKEY")) is not null;
        if (isGiven)
            Apply(result.GetValue(_user), result.GetValue(_password) ?? Variable("PASSWORD"), result.GetValue(_token), result.GetValue(_credentials), result.GetValue(_nkey));
        else if (isInEnvironment && !(IsChosen(result) && context is { HasUser: true }))
            Apply(Variable("USER"), Variable("PASSWORD"), Variable("TOKEN"), Variable("CREDS"), Variable("NKEY"));
        else if (context is not null)
            Apply(context.User, result.GetValue(_password) ?? context.Password, context.Token, context.Credentials, context.Nkey);
        if (!isGiven && options is { User: null, Token: null, Credentials: null } && context is { UserJwt: { } jwt, UserSeed: { } seed })
            options.Credentials = NatsCredentials.FromJwt(_ => new(jwt), _ => new(seed.ToCharArray()));
        // A password without a user is reported rather than ignored.
        if (options is { User: null, Token: null, Credentials: null }) options.Password = result.GetValue(_password);

        void Apply(string? user, string? password, string? token, string? credentials, string? nkey)
        {
            (options.User, options.Password, options.Token) = (user, password, token);
            options.Credentials = credentials is not null ? NatsCredentials.FromFile(credentials) : nkey is not null ? NatsCredentials.FromSeedFile(nkey) : null;
        }
    }

    private TlsOptions? ReadTls(ParseResult result, NatsContext? context)
    {
        var tls = new TlsOptions
        {
            CaFile = result.GetValue(_authority) ?? Variable("CA") ?? context?.Authority,
            CertFile = result.GetValue(_certificate) ?? Variable("CERT") ?? context?.Certificate,
            KeyFile = result.GetValue(_key) ?? Variable("KEY") ?? context?.Key,
            HandshakeFirst = result.GetValue(_tlsFirst) || context is { TlsFirst: true },
        };
        return tls is { CaFile: null, CertFile: null, KeyFile: null, HandshakeFirst: false } ? null : tls;
    }
}
