using System.CommandLine;
using Postrider.Credentials;

namespace Postrider.CommandLine.Verbs;

/// <summary>A user's permissions on the command line: given options replace values, the rest is kept.</summary>
internal sealed class UserFlags
{
    private readonly PermissionFlags _permissions = new();
    private readonly Option<long?> _subscriptions = AuthVerb.Limit("--max-subs", "Number of subscriptions");
    private readonly Option<long?> _payload = ByteSize.Create("--max-payload", "Size of a message; -1 for no limit");
    private readonly Option<string[]?> _sources = AuthVerb.Words("--source", "Networks to connect from, such as 192.0.2.0/24");
    private readonly Option<string[]?> _types = AuthVerb.Words("--connection-types", "Types of connections, such as STANDARD or WEBSOCKET");
    private readonly Option<bool?> _bearer = new("--bearer") { Description = "The token is sufficient to connect, without a signature" };

    internal IEnumerable<Option> All => [.. _permissions.All, _subscriptions, _payload, _sources, _types, _bearer];

    internal UserSettings Apply(UserSettings settings, ParseResult result) => settings with
    {
        Permissions = _permissions.Apply(settings.Permissions, result),
        MaxSubscriptions = AuthVerb.LimitOf(result, _subscriptions, settings.MaxSubscriptions),
        MaxPayload = AuthVerb.LimitOf(result, _payload, settings.MaxPayload),
        Sources = JetStreamVerb.Given(result, _sources) ?? settings.Sources,
        AllowedConnectionTypes = JetStreamVerb.Given(result, _types)?.Select(static type => type.ToUpperInvariant()).ToArray() ?? settings.AllowedConnectionTypes,
        IsBearer = result.GetValue(_bearer) ?? settings.IsBearer,
    };
}
