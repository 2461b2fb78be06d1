using System.Buffers.Text;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using Postrider.Credentials;

namespace Postrider.InteropTests.Operators;

/// <summary>Who is let in by a token and who is not; the same for both servers.</summary>
internal static class TokenStories
{
    private const string Refused = "-ERR 'Authorization Violation'\n(closed)";
    private const string NoSubscriptions = "-ERR 'maximum subscriptions exceeded'\n";

    private static readonly Dictionary<string, TokenStory> All = new(StringComparer.Ordinal)
    {
        // Let in.
        ["user of an account"] = new(),
        ["user of a signing key"] = new() { UserSigner = keys => keys.Signer, User = (user, keys) => user with { IssuerAccount = keys.Account.PublicKey } },
        ["account of a signing key of the operator"] = new() { AccountSigner = keys => keys.OperatorSigner },
        ["bearer without a signature"] = new() { User = (user, _) => user with { Settings = new UserSettings { IsBearer = true } }, Signature = (_, _) => null },
        ["bearer with a wrong signature"] = new() { User = (user, _) => user with { Settings = new UserSettings { IsBearer = true } }, Signature = (_, _) => "AAAA" },
        ["user whose token ends later"] = new() { User = (user, _) => user with { Expires = DateTimeOffset.UtcNow.AddHours(2), NotBefore = DateTimeOffset.UtcNow.AddHours(-1) } },
        ["signature in base64 with padding"] = new() { Signature = (nonce, keys) => Convert.ToBase64String(keys.User.Sign(Encoding.ASCII.GetBytes(nonce))) },
        ["allowed type of connection"] = new() { User = (user, _) => user with { Settings = new UserSettings { AllowedConnectionTypes = ["WEBSOCKET", "STANDARD"] } } },
        ["allowed type of connection in small letters"] = new() { User = (user, _) => user with { Settings = new UserSettings { AllowedConnectionTypes = ["standard"] } } },
        ["network that the client is in"] = new() { User = (user, _) => user with { Settings = new UserSettings { Sources = ["192.0.2.0/24", "127.0.0.0/8"] } } },
        ["revoked before the token was issued"] = new() { Account = (account, keys) => account with { Revocations = Revoke(keys.User.PublicKey, DateTimeOffset.UtcNow.AddHours(-1)) } },
        ["revoked are others"] = new() { Account = (account, keys) => account with { Revocations = Revoke(keys.OtherUser.PublicKey, DateTimeOffset.UtcNow.AddHours(1)) } },
        ["permissions of the user"] = new()
        {
            User = (user, _) => user with { Settings = new UserSettings { Permissions = Allowing("a.>", "b.*") } },
            Then = ["SUB b.x 1", "SUB c 2", "PUB a.x 0", "", "PUB c 0", ""],
            Says = "-ERR 'Permissions Violation for Subscription to \"c\"'\n-ERR 'Permissions Violation for Publish to \"c\"'\n",
        },
        ["default permissions of the account"] = new()
        {
            Account = (account, _) => account with { DefaultPermissions = new ClaimPermissions { Publish = new SubjectAccess { Deny = ["no"] } } },
            Then = ["SUB no 1", "PUB no 0", ""],
            Says = "-ERR 'Permissions Violation for Publish to \"no\"'\n",
        },
        ["default permissions are not for users with their own"] = new()
        {
            Account = (account, _) => account with { DefaultPermissions = new ClaimPermissions { Publish = new SubjectAccess { Deny = ["no"] } } },
            User = (user, _) => user with { Settings = new UserSettings { Permissions = new ClaimPermissions { Subscribe = new SubjectAccess { Deny = ["never"] } } } },
            Then = ["SUB no 1", "PUB no 0", "", "SUB never 2"],
            Says = "MSG no 1 0\n\n-ERR 'Permissions Violation for Subscription to \"never\"'\n",
        },
        ["role of a scoped key"] = new()
        {
            Account = (account, keys) => account with { SigningKeys = [Role(keys, Allowing("in.>", "out.>"))] },
            UserSigner = keys => keys.Scoped,
            User = (user, keys) => user with { Settings = null, IssuerAccount = keys.Account.PublicKey },
            Then = ["SUB out.x 1", "SUB in.x 2"],
            Says = "-ERR 'Permissions Violation for Subscription to \"in.x\"'\n",
        },
        ["templates of a role"] = new()
        {
            Account = (account, keys) => account with { Tags = ["region:eu"], SigningKeys = [Role(keys, Allowing("{{name()}}.{{tag(team)}}.{{account-tag(region)}}", "x.{{account-name()}}"))] },
            UserSigner = keys => keys.Scoped,
            User = (user, keys) => user with { Settings = null, IssuerAccount = keys.Account.PublicKey, Name = "bob", Tags = ["team:a", "team:b"] },
            Then = ["SUB x.shop 1", "SUB x.other 2", "PUB bob.a.eu 0", "", "PUB bob.b.eu 0", "", "PUB bob.c.eu 0", ""],
            Says = "-ERR 'Permissions Violation for Subscription to \"x.other\"'\n-ERR 'Permissions Violation for Publish to \"bob.c.eu\"'\n",
        },
        ["template of which nothing is left allows nothing"] = new()
        {
            Account = (account, keys) => account with { SigningKeys = [Role(keys, Allowing("{{tag(missing)}}", ">"))] },
            UserSigner = keys => keys.Scoped,
            User = (user, keys) => user with { Settings = null, IssuerAccount = keys.Account.PublicKey },
            Then = ["PUB a 0", ""],
            Says = "-ERR 'Permissions Violation for Publish to \"a\"'\n",
        },
        ["limits of a role"] = new()
        {
            Account = (account, keys) => account with { SigningKeys = [Role(keys, new ClaimPermissions(), new UserSettings { MaxSubscriptions = 1 })] },
            UserSigner = keys => keys.Scoped,
            User = (user, keys) => user with { Settings = null, IssuerAccount = keys.Account.PublicKey },
            Then = ["SUB a 1", "SUB b 2"],
            Says = "-ERR 'maximum subscriptions exceeded'\n",
        },
        ["subscriptions of the user"] = new()
        {
            User = (user, _) => user with { Settings = new UserSettings { MaxSubscriptions = 2 } },
            Then = ["SUB a 1", "SUB b 2", "SUB c 3"],
            Says = "-ERR 'maximum subscriptions exceeded'\n",
        },
        ["subscriptions of the account"] = new()
        {
            Account = (account, _) => account with { Limits = account.Limits with { MaxSubscriptions = 1 } },
            User = (user, _) => user with { Settings = new UserSettings { MaxSubscriptions = 2 } },
            Then = ["SUB a 1", "SUB b 2"],
            Says = "-ERR 'maximum subscriptions exceeded'\n",
        },
        ["payload of the user"] = new()
        {
            User = (user, _) => user with { Settings = new UserSettings { MaxPayload = 2 } },
            Then = ["PUB a 2", "ab", "PUB a 3", "abc"],
            Says = "-ERR 'Maximum Payload Violation'\n(closed)",
        },
        ["payload of the account"] = new()
        {
            Account = (account, _) => account with { Limits = account.Limits with { MaxPayload = 2 } },
            Then = ["PUB a 3", "abc"],
            Says = "-ERR 'Maximum Payload Violation'\n(closed)",
        },
        ["account that allows no connections"] = new()
        {
            Account = (account, _) => account with { Limits = account.Limits with { MaxConnections = 0 } },
            Says = "-ERR 'maximum account active connections exceeded'\n(closed)",
        },
        ["account that allows no subscriptions"] = new()
        {
            Account = (account, _) => account with { Limits = account.Limits with { MaxSubscriptions = 0 } },
            IsClosed = true,
            Says = "-ERR 'maximum subscriptions exceeded'\n",
        },
        ["fewer than no subscriptions of the user"] = new()
        {
            User = (user, _) => user with { Settings = new UserSettings { MaxSubscriptions = -5 } },
            IsClosed = true,
            Says = NoSubscriptions,
        },
        ["fewer than no subscriptions of the account"] = new()
        {
            Account = (account, _) => account with { Limits = account.Limits with { MaxSubscriptions = -5 } },
            User = (user, _) => user with { Settings = new UserSettings { MaxSubscriptions = 2 } },
            IsClosed = true,
            Says = NoSubscriptions,
        },
        ["fewer than no subscriptions of a role"] = new()
        {
            Account = (account, keys) => account with { SigningKeys = [Role(keys, new ClaimPermissions(), new UserSettings { MaxSubscriptions = -5 })] },
            UserSigner = keys => keys.Scoped,
            User = (user, keys) => user with { Settings = null, IssuerAccount = keys.Account.PublicKey },
            IsClosed = true,
            Says = NoSubscriptions,
        },
        ["payload of the user that is empty"] = new()
        {
            User = (user, _) => user with { Settings = new UserSettings { MaxPayload = 0 } },
            Then = ["PUB a 0", "", "PUB a 1", "x"],
            Says = "-ERR 'Maximum Payload Violation'\n(closed)",
        },
        ["payload of the user that is less than empty"] = new()
        {
            Account = (account, _) => account with { Limits = account.Limits with { MaxPayload = 2 } },
            User = (user, _) => user with { Settings = new UserSettings { MaxPayload = -5 } },
            Then = ["PUB a 0", ""],
            Says = "-ERR 'Maximum Payload Violation'\n(closed)",
        },
        ["payload of the account that is less than empty"] = new()
        {
            Account = (account, _) => account with { Limits = account.Limits with { MaxPayload = long.MinValue } },
            Then = ["PUB a 0", ""],
            Says = "-ERR 'Maximum Payload Violation'\n(closed)",
        },
        ["data that is less than none"] = new()
        {
            Account = (account, _) => account with { Limits = account.Limits with { MaxData = -5 } },
            User = (user, _) => user with { Settings = new UserSettings { MaxData = -5 } },
            Then = ["SUB a 1", "PUB a 1", "x"],
            Says = "MSG a 1 1\nx\n",
        },
        ["account that allows fewer than no connections"] = new()
        {
            Account = (account, _) => account with { Limits = account.Limits with { MaxConnections = -5 } },
            Says = "-ERR 'maximum account active connections exceeded'\n(closed)",
        },
        ["account that allows fewer than no leaf nodes"] = new() { Account = (account, _) => account with { Limits = account.Limits with { MaxLeafNodes = -5 } } },
        ["exports with wildcards where their number has no limit"] = new()
        {
            Account = (account, _) => account with { Exports = [WithWildcard()], Limits = account.Limits with { AllowWildcardExports = false } },
        },
        ["mapping of the account"] = new()
        {
            Account = (account, _) => account with { Mappings = new Dictionary<string, IReadOnlyList<WeightedMapping>> { ["from.*"] = [new WeightedMapping("to.{{wildcard(1)}}", 100, null)] } },
            Then = ["SUB to.a 1", "PUB from.a 1", "x"],
            Says = "MSG to.a 1 1\nx\n",
        },
        ["mapping of the account without a wildcard"] = new()
        {
            Account = (account, _) => account with { Mappings = new Dictionary<string, IReadOnlyList<WeightedMapping>> { ["from"] = [new WeightedMapping("to", 100, null)] } },
            Then = ["SUB to 1", "PUB from 1", "x"],
            Says = "MSG to 1 1\nx\n",
        },
        ["account with limits of streams but no user for them"] = new()
        {
            Account = (account, _) => account with { Limits = account.Limits with { JetStream = new JetStreamClaimLimits { MemoryBytes = 1024, DiskBytes = 1024 } } },
            Then = ["SUB a 1"],
        },

        // Refused because of the token.
        ["no token"] = new() { Says = Refused, Connect = (_, _) => "\"name\":\"x\"" },
        ["empty token"] = new() { Says = Refused, Token = (_, _) => "" },
        ["text that is no token"] = new() { Says = Refused, Token = (_, _) => "abc" },
        ["name and password instead of a token"] = new() { Says = Refused, Connect = (_, _) => "\"user\":\"a\",\"pass\":\"b\"" },
        ["auth_token instead of a token"] = new() { Says = Refused, Connect = (_, _) => "\"auth_token\":\"a\"" },
        ["nkey alone"] = new() { Says = Refused, Connect = (token, signature) => $"\"nkey\":\"{SubjectOf(token)}\",\"sig\":\"{signature}\"" },
        ["token of the account itself"] = new() { Says = Refused, Token = (_, keys) => new AccountClaims { Subject = keys.Account.PublicKey }.Encode(keys.Operator) },
        ["expired"] = new() { Says = Refused, User = (user, _) => user with { Expires = DateTimeOffset.UtcNow.AddMinutes(-1) } },
        ["not yet valid"] = new() { Says = Refused, User = (user, _) => user with { NotBefore = DateTimeOffset.UtcNow.AddHours(1) } },
        ["algorithm none"] = new() { Says = Refused, Token = (token, _) => WithHeader(token, """{"typ":"JWT","alg":"none"}""") },
        ["algorithm none without a signature"] = new() { Says = Refused, Token = (token, _) => WithHeader(token, """{"typ":"JWT","alg":"none"}""")[..(token.LastIndexOf('.') + 1)] },
        ["algorithm of version 1"] = new() { Says = Refused, Token = (token, _) => WithHeader(token, """{"typ":"JWT","alg":"ed25519"}""") },
        ["algorithm HS256"] = new() { Says = Refused, Token = (token, _) => WithHeader(token, """{"typ":"JWT","alg":"HS256"}""") },
        ["claims changed after they were signed"] = new() { Says = Refused, Token = (token, _) => WithClaims(token, claims => claims["name"] = "admin") },
        ["claims signed by somebody else in the account's name"] = new() { Says = Refused, UserSigner = keys => keys.OtherAccount, Token = (token, keys) => WithClaims(token, claims => claims["iss"] = keys.Account.PublicKey) },
        ["signature of another token"] = new() { Says = Refused, Token = (token, keys) => Swap(token, new UserClaims { Subject = keys.OtherUser.PublicKey }.Encode(keys.Account)) },
        ["signature cut short"] = new() { Says = Refused, Token = (token, _) => token[..^4] },
        ["token with four parts"] = new() { Says = Refused, Token = (token, _) => token + ".AAAA" },

        // Refused because of the proof.
        ["no signature"] = new() { Says = Refused, Signature = (_, _) => null },
        ["signature that is no base64"] = new() { Says = Refused, Signature = (_, _) => "!!!" },
        ["signature of another user"] = new() { Says = Refused, Signature = (nonce, keys) => TokenKeys.Sign(nonce, keys.OtherUser) },
        ["signature of another nonce"] = new() { Says = Refused, Signature = (_, keys) => TokenKeys.Sign("PXoWU7zWAMt75FY", keys.User) },
        ["signature of nothing"] = new() { Says = Refused, Signature = (_, keys) => TokenKeys.Sign("", keys.User) },

        // Refused because of the account.
        ["account that the server does not have"] = new() { Says = Refused, IsPreloaded = false },
        ["account of an operator that is not trusted"] = new() { Says = Refused, AccountSigner = keys => keys.Stranger },
        ["account that signed itself"] = new() { Says = Refused, AccountSigner = keys => keys.Account },
        ["account that has expired"] = new() { Says = Refused, Account = (account, _) => account with { Expires = DateTimeOffset.UtcNow.AddMinutes(-1) } },
        ["account that is not yet valid"] = new() { Says = Refused, Account = (account, _) => account with { NotBefore = DateTimeOffset.UtcNow.AddHours(1) } },
        ["user of another account"] = new() { Says = Refused, UserSigner = keys => keys.OtherAccount },
        ["user of another account that names this one"] = new() { Says = Refused, UserSigner = keys => keys.OtherAccount, User = (user, keys) => user with { IssuerAccount = keys.Account.PublicKey } },
        ["user of a signing key that does not name the account"] = new() { Says = Refused, UserSigner = keys => keys.Signer },
        ["revoked"] = new() { Says = Refused, Account = (account, keys) => account with { Revocations = Revoke(keys.User.PublicKey, DateTimeOffset.UtcNow.AddHours(1)) } },
        ["everybody revoked"] = new() { Says = Refused, Account = (account, _) => account with { Revocations = Revoke("*", DateTimeOffset.UtcNow.AddHours(1)) } },
        ["account that allows fewer than no imports"] = new() { Says = Refused, Account = (account, _) => account with { Limits = account.Limits with { MaxImports = -5 } } },
        ["account that allows fewer than no exports"] = new() { Says = Refused, Account = (account, _) => account with { Limits = account.Limits with { MaxExports = -5 } } },
        ["exports with wildcards where their number has a limit"] = new()
        {
            Says = Refused,
            Account = (account, _) => account with { Exports = [WithWildcard()], Limits = account.Limits with { MaxExports = 5, AllowWildcardExports = false } },
        },

        // Refused because of the user's settings.
        ["bearer where the account disallows it"] = new()
        {
            Says = Refused,
            Account = (account, _) => account with { Limits = account.Limits with { DisallowBearer = true } },
            User = (user, _) => user with { Settings = new UserSettings { IsBearer = true } },
            Signature = (_, _) => null,
        },
        ["another type of connection"] = new() { Says = Refused, User = (user, _) => user with { Settings = new UserSettings { AllowedConnectionTypes = ["WEBSOCKET", "MQTT"] } } },
        ["no proxy where one is required"] = new() { Says = Refused, User = (user, _) => user with { Settings = new UserSettings { RequiresProxy = true } } },
        ["another network"] = new() { Says = Refused, User = (user, _) => user with { Settings = new UserSettings { Sources = ["192.0.2.0/24", "10.0.0.0/8"] } } },
        ["network of IPv6"] = new() { Says = Refused, User = (user, _) => user with { Settings = new UserSettings { Sources = ["::/0"] } } },
        ["times that are never"] = new() { Says = Refused, User = (user, _) => user with { Settings = new UserSettings { Times = [Never()], TimeZone = "UTC" } } },
        ["permissions of its own besides a role"] = new()
        {
            Says = Refused,
            Account = (account, keys) => account with { SigningKeys = [Role(keys, Allowing("a", "a"))] },
            UserSigner = keys => keys.Scoped,
            User = (user, keys) => user with { IssuerAccount = keys.Account.PublicKey },
        },
        ["role that denies a tag that the user does not have"] = new()
        {
            Says = Refused,
            Account = (account, keys) => account with { SigningKeys = [Role(keys, new ClaimPermissions { Publish = new SubjectAccess { Deny = ["{{tag(missing)}}"] } })] },
            UserSigner = keys => keys.Scoped,
            User = (user, keys) => user with { Settings = null, IssuerAccount = keys.Account.PublicKey },
        },
        ["token that is longer than a line may be"] = new()
        {
            Says = "-ERR 'maximum control line exceeded'\n(closed)",
            User = (user, _) => user with { Settings = new UserSettings { Permissions = new ClaimPermissions { Publish = new SubjectAccess { Allow = [.. Enumerable.Range(0, 500).Select(i => $"subject.number.{i}")] } } } },
        },
    };

    public static IEnumerable<string> Names => All.Keys;

    public static TokenStory Get(string name) => All[name];

    private static Dictionary<string, DateTimeOffset> Revoke(string user, DateTimeOffset at) => new(StringComparer.Ordinal) { [user] = at };

    private static ClaimPermissions Allowing(string publish, string subscribe)
        => new() { Publish = new SubjectAccess { Allow = [publish] }, Subscribe = new SubjectAccess { Allow = [subscribe] } };

    private static AccountSigningKey Role(TokenKeys keys, ClaimPermissions permissions, UserSettings? settings = null)
        => new(keys.Scoped.PublicKey, new UserScope { Role = "role", Template = (settings ?? new UserSettings()) with { Permissions = permissions } });

    // A part of the day that begins in twelve hours.
    private static DailyTime Never()
    {
        var opposite = TimeOnly.FromDateTime(DateTime.UtcNow.AddHours(12));
        return new DailyTime(new TimeOnly(opposite.Hour, 0, 0), new TimeOnly(opposite.Hour, 30, 0));
    }

    private static string SubjectOf(string token) => NatsJwt.DecodeAnyTime(token).Subject;

    private static string WithHeader(string token, string header) => Base64Url.EncodeToString(Encoding.UTF8.GetBytes(header)) + token[token.IndexOf('.', StringComparison.Ordinal)..];

    private static AccountExport WithWildcard() => new() { Subject = "a.*", Kind = ExportKind.Stream };

    private static string WithClaims(string token, Action<JsonObject> change)
    {
        var parts = token.Split('.');
        var claims = JsonNode.Parse(Base64Url.DecodeFromChars(parts[1]))!.AsObject();
        change(claims);
        return $"{parts[0]}.{Base64Url.EncodeToString(JsonSerializer.SerializeToUtf8Bytes(claims))}.{parts[2]}";
    }

    private static string Swap(string token, string other) => token[..token.LastIndexOf('.')] + other[other.LastIndexOf('.')..];
}
