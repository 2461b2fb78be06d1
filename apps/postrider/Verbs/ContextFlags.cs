using System.CommandLine;
using Postrider.Client;
using Postrider.CommandLine.Contexts;

namespace Postrider.CommandLine.Verbs;

/// <summary>A context's settings on the command line: given options replace values, the rest is kept.</summary>
internal sealed class ContextFlags
{
    private readonly (Option<string?> Option, string Member)[] _texts =
    [
        (new("--server", "-s") { Description = "Server addresses, separated by commas" }, "url"),
        (new("--description") { Description = "Description" }, "description"),
        (new("--user") { Description = "User name" }, "user"),
        (new("--password") { Description = "Password" }, "password"),
        (new("--token") { Description = "Token" }, "token"),
        (new("--creds") { Description = "Credentials file" }, "creds"),
        (new("--nkey") { Description = "File with the seed of an nkey user" }, "nkey"),
        (new("--tlscert") { Description = "File with the client's certificate" }, "cert"),
        (new("--tlskey") { Description = "File with the key of the client's certificate" }, "key"),
        (new("--tlsca") { Description = "File with the authorities of the server's certificate" }, "ca"),
        (new("--domain") { Description = "The JetStream domain" }, "jetstream_domain"),
        (new("--api-prefix") { Description = "The prefix of JetStream's API subjects" }, "jetstream_api_prefix"),
        (new("--inbox-prefix") { Description = "The prefix of inboxes" }, "inbox_prefix"),
    ];

    private readonly Option<bool?> _tlsFirst = new("--tlsfirst") { Description = "Start TLS before the server's INFO" };

    /// <summary>The text members that are shown.</summary>
    internal static IEnumerable<string> Members => Labels.Select(static pair => pair.Member);

    /// <summary>The members' display names.</summary>
    internal static IReadOnlyList<(string Member, string Label)> Labels { get; } =
    [
        ("description", "Description"), ("url", "Server"), ("user", "User"), ("password", "Password"), ("token", "Token"), ("creds", "Credentials"),
        ("nkey", "Nkey"), ("user_jwt", "User JWT"), ("user_seed", "User Seed"), ("cert", "Certificate"), ("key", "Key"), ("ca", "Authorities"),
        ("jetstream_domain", "JetStream Domain"), ("jetstream_api_prefix", "JetStream API Prefix"), ("inbox_prefix", "Inbox Prefix"),
    ];

    internal ContextFlags() => _texts[0].Option.Validators.Add(static result =>
    {
        foreach (var server in (result.Tokens.Count > 0 ? result.Tokens[0].Value : "").Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries))
        {
            // Contexts may refer to environment variables.
            if (!server.Contains('$', StringComparison.Ordinal) && !ClientOptions.IsServerAddress(server))
                result.AddError($"'{server}' is not the address of a server, such as nats://127.0.0.1:4222 or tls://nats.example.com. Supported: nats, tls, tcp, ws, wss.");
        }
    });

    internal IEnumerable<Symbol> All => [.. _texts.Select(static text => text.Option), _tlsFirst];

    /// <summary>Applies the given options. File paths become absolute, because the context is used from other folders.</summary>
    internal void Apply(NatsContext context, ParseResult result)
    {
        foreach (var (option, member) in _texts)
        {
            if (JetStreamVerb.Given(result, option) is not { } text) continue;
            context[member] = member is "creds" or "nkey" or "cert" or "key" or "ca" && text.Length > 0 && !text.StartsWith('~') && !text.StartsWith('$') ? Path.GetFullPath(text) : text;
        }
        if (JetStreamVerb.Given(result, _tlsFirst) is { } first) context.SetTlsFirst(first);
    }
}
