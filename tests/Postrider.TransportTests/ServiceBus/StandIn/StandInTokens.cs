using System.Globalization;
using System.Runtime.CompilerServices;
using System.Security.Cryptography;
using System.Text;
using Amqp;
using Amqp.Framing;
using Amqp.Listener;

namespace Postrider.TransportTests.ServiceBus.StandIn;

/// <summary>Tokens that clients put, for each connection and audience until they expire.</summary>
internal sealed class StandInTokens(TimeProvider time)
{
    public const string KeyName = "RootManageSharedAccessKey";
    public const string Key = "c2VydmljZSBidXMgc3RhbmQtaW4ga2V5";
    public const string Jwt = "header.payload.signature";

    private readonly ConditionalWeakTable<Connection, Dictionary<string, DateTimeOffset>> _put = [];
    private readonly Lock _gate = new(); // guards the dictionaries

    /// <summary>How many were taken.</summary>
    public int Count { get; private set; }

    /// <summary>Whether a connection may use an entity now: a token is for its audience and all below.</summary>
    public bool Allows(Connection connection, string path)
    {
        lock (_gate)
        {
            return _put.TryGetValue(connection, out var tokens)
                && tokens.Any(token => token.Value > time.GetUtcNow() && (token.Key.Length == 0 || Same(path, token.Key) || path.StartsWith(token.Key + "/", StringComparison.OrdinalIgnoreCase)));
        }
    }

    /// <summary>Answers a <c>put-token</c>.</summary>
    public Message Put(ListenerLink link, Message request)
    {
        var properties = request.ApplicationProperties?.Map ?? [];
        if (properties.GetValueOrDefault("operation") as string != "put-token" || properties.GetValueOrDefault("name") is not string name || request.Body is not string token)
            return Answer(400, "The operation must be put-token, with a name and a token.");
        if (Refusal(properties.GetValueOrDefault("type") as string, name, token, out var expiry) is { } wrong)
            return Answer(401, wrong);
        lock (_gate)
        {
            _put.GetOrCreateValue(link.Session.Connection)[PathOf(name)] = expiry;
            Count++;
        }

        return Answer(202, "Accepted");
    }

    private string? Refusal(string? type, string name, string token, out DateTimeOffset expiry)
    {
        expiry = time.GetUtcNow().AddHours(1);
        if (type == "jwt")
            return token == Jwt ? null : "InvalidSignature: the token is not known.";
        if (type != "servicebus.windows.net:sastoken" || !token.StartsWith("SharedAccessSignature ", StringComparison.Ordinal))
            return "MalformedToken: the token must be a SharedAccessSignature or a jwt.";
        var parts = token["SharedAccessSignature ".Length..].Split('&').Select(static part => part.Split('=', 2)).Where(static part => part.Length == 2).ToDictionary(static part => part[0], static part => part[1], StringComparer.Ordinal);
        if (!parts.TryGetValue("sr", out var resource) || !parts.TryGetValue("sig", out var signature) || !parts.TryGetValue("se", out var seconds) || !parts.TryGetValue("skn", out var keyName))
            return "MalformedToken: the token must have sr, sig, se and skn.";
        expiry = DateTimeOffset.FromUnixTimeSeconds(long.Parse(seconds, CultureInfo.InvariantCulture));
        if (expiry <= time.GetUtcNow())
            return "ExpiredToken: the token is expired.";
        // Over the text as it came: some clients encode with small letters, some with capitals.
        var expected = Convert.ToBase64String(HMACSHA256.HashData(Encoding.UTF8.GetBytes(Key), Encoding.UTF8.GetBytes($"{resource}\n{seconds}")));
        if (Uri.UnescapeDataString(keyName) != KeyName || Uri.UnescapeDataString(signature) != expected)
            return "InvalidSignature: the token has an invalid signature.";
        return name.StartsWith(Uri.UnescapeDataString(resource), StringComparison.OrdinalIgnoreCase) ? null : "InvalidAudience: the token is for another audience.";
    }

    private static string PathOf(string audience) => new Uri(audience).AbsolutePath.Trim('/');

    private static bool Same(string one, string other) => string.Equals(one, other, StringComparison.OrdinalIgnoreCase);

    private static Message Answer(int status, string description)
        => new() { ApplicationProperties = new ApplicationProperties { ["status-code"] = status, ["status-description"] = description }, BodySection = new AmqpValue { Value = null } };
}
