using System.Text;
using Postrider.Credentials;

namespace Postrider.InteropTests.Attacks;

/// <summary>Wrong credentials of each kind: on which server they are tried, and what CONNECT says.</summary>
internal static class CredentialAttacks
{
    private const string User = "users";
    private const string Token = "token";
    private const string HashedToken = "hashed token";
    private const string Nobody = "nobody";

    // The key of a user, and one that the servers do not know.
    public static readonly NkeyPair Key = NkeyPair.Create(NkeyKind.User);
    public static readonly NkeyPair Stranger = NkeyPair.Create(NkeyKind.User);

    /// <summary>What the servers are configured with.</summary>
    public static IReadOnlyDictionary<string, string> Servers { get; } = new Dictionary<string, string>
    {
        [User] = $"authorization {{ timeout: 2, users: [{{user: alice, password: s3cret}}, {{user: bob, password: \"{Hash}\"}}, {{nkey: {Key.PublicKey}}}, {{user: ws, password: p, allowed_connection_types: [WEBSOCKET]}}] }}",
        [Token] = "authorization { token: t0ken }",
        [HashedToken] = $"authorization {{ token: \"{Hash}\" }}",
        [Nobody] = "accounts { A { users: [{user: only, password: p}] } }",
    };

    /// <summary>The attempts by name; the nonce of INFO is given to what makes the members of CONNECT.</summary>
    public static IReadOnlyDictionary<string, (string Server, Func<string, string> Members)> All { get; } = Build();

    // Of "secret".
    private static string Hash => "$2a$11$W2zko751KUvVy59mUTWmpOdWjpEm5qhcCZRd05GjI/sSOT.xtiHyG";

    private static Dictionary<string, (string Server, Func<string, string> Members)> Build()
    {
        var all = new Dictionary<string, (string, Func<string, string>)>(StringComparer.Ordinal);
        foreach (var (name, server, members) in Texts()) all[$"{server}: {name}"] = (server, _ => members);
        foreach (var (name, members) in Signatures()) all[$"nkey: {name}"] = (User, members);
        return all;
    }

    private static IEnumerable<(string Name, string Server, string Members)> Texts() =>
    [
        ("wrong password", User, """ "user":"alice","pass":"wrong" """),
        ("empty password", User, """ "user":"alice","pass":"" """),
        ("no password", User, """ "user":"alice" """),
        ("other case of the password", User, """ "user":"alice","pass":"S3CRET" """),
        ("password with a blank", User, """ "user":"alice","pass":"s3cret " """),
        ("beginning of the password", User, """ "user":"alice","pass":"s3cre" """),
        ("password and more", User, """ "user":"alice","pass":"s3cret1" """),
        ("password with NUL", User, """ "user":"alice","pass":"s3cret\u0000" """),
        ("other case of the name", User, """ "user":"Alice","pass":"s3cret" """),
        ("name with a blank", User, """ "user":"alice ","pass":"s3cret" """),
        ("name with a line end", User, """ "user":"alice\r\nPUB a 0","pass":"s3cret" """),
        ("unknown name", User, """ "user":"mallory","pass":"s3cret" """),
        ("empty name", User, """ "user":"","pass":"s3cret" """),
        ("pattern as the name", User, """ "user":"*","pass":"s3cret" """),
        ("name of another user", User, """ "user":"bob","pass":"s3cret" """),
        ("the hash itself", User, $$""" "user":"bob","pass":"{{Hash}}" """),
        ("wrong password against a hash", User, """ "user":"bob","pass":"wrong" """),
        ("empty password against a hash", User, """ "user":"bob","pass":"" """),
        ("72 bytes against a hash", User, $$""" "user":"bob","pass":"{{new string('a', 72)}}" """),
        ("long password against a hash", User, $$""" "user":"bob","pass":"{{new string('a', 2000)}}" """),
        ("long password", User, $$""" "user":"alice","pass":"{{new string('a', 3000)}}" """),
        ("password as the token", User, """ "auth_token":"s3cret" """),
        ("name and password as the token", User, """ "auth_token":"alice:s3cret" """),
        ("number as the password", User, """ "user":"alice","pass":1 """),
        ("null as the password", User, """ "user":"alice","pass":null """),
        ("list as the password", User, """ "user":"alice","pass":["s3cret"] """),
        ("two passwords, the last one wrong", User, """ "user":"alice","pass":"s3cret","pass":"wrong" """),
        ("two names, the last one unknown", User, """ "user":"alice","user":"mallory","pass":"s3cret" """),
        ("nothing", User, "\"lang\":\"x\""),
        ("token without an operator", User, """ "jwt":"eyJ0eXAiOiJKV1QiLCJhbGciOiJub25lIn0.e30.","sig":"" """),
        ("garbage as a token", User, """ "jwt":"garbage","sig":"AAAA" """),
        ("kind of connection", User, """ "user":"ws","pass":"p" """),
        ("wrong token", Token, """ "auth_token":"wrong" """),
        ("empty token", Token, """ "auth_token":"" """),
        ("no token", Token, "\"lang\":\"x\""),
        ("token as the password", Token, """ "user":"x","pass":"t0ken" """),
        ("token as the name", Token, """ "user":"t0ken" """),
        ("token with a blank", Token, """ "auth_token":"t0ken " """),
        ("other case of the token", Token, """ "auth_token":"T0KEN" """),
        ("beginning of the token", Token, """ "auth_token":"t0ke" """),
        ("token and more", Token, """ "auth_token":"t0ken1" """),
        ("number as the token", Token, """ "auth_token":0 """),
        ("the hash itself", HashedToken, $$""" "auth_token":"{{Hash}}" """),
        ("wrong token", HashedToken, """ "auth_token":"wrong" """),
        ("long token", HashedToken, $$""" "auth_token":"{{new string('a', 2000)}}" """),
        ("user of no account", Nobody, """ "user":"mallory","pass":"p" """),
        ("account's name as the user", Nobody, """ "user":"A","pass":"" """),
        ("system account's name as the user", Nobody, """ "user":"$SYS","pass":"" """),
        ("no credentials", Nobody, "\"lang\":\"x\""),
    ];

    private static IEnumerable<(string Name, Func<string, string> Members)> Signatures() =>
    [
        ("no signature", _ => $"\"nkey\":\"{Key.PublicKey}\""),
        ("empty signature", _ => Signed(Key, "")),
        ("signature of another nonce", _ => Signed(Key, Sign(Key, "AAAAAAAAAAAAAAA"))),
        ("signature of nothing", _ => Signed(Key, Sign(Key, ""))),
        ("signature of the nonce and more", nonce => Signed(Key, Sign(Key, nonce + "x"))),
        ("signature of a stranger", nonce => Signed(Key, Sign(Stranger, nonce))),
        ("stranger", nonce => Signed(Stranger, Sign(Stranger, nonce))),
        ("signature that is cut", nonce => Signed(Key, Sign(Key, nonce)[..40])),
        ("signature with a flipped bit", nonce => Signed(Key, Flip(Sign(Key, nonce)))),
        ("signature that is no base64", _ => Signed(Key, new string('!', 86))),
        ("signature of zeros", _ => Signed(Key, Convert.ToBase64String(new byte[64]))),
        ("signature with bytes behind it", nonce => Signed(Key, Sign(Key, nonce) + "AAAA")),
        ("key in small letters", nonce => $"\"nkey\":\"{Key.PublicKey.ToLowerInvariant()}\",\"sig\":\"{Sign(Key, nonce)}\""),
        ("key with another prefix", nonce => $"\"nkey\":\"A{Key.PublicKey[1..]}\",\"sig\":\"{Sign(Key, nonce)}\""),
        ("key that is cut", nonce => $"\"nkey\":\"{Key.PublicKey[..20]}\",\"sig\":\"{Sign(Key, nonce)}\""),
        ("key as a user's name", nonce => $"\"user\":\"{Key.PublicKey}\",\"pass\":\"\",\"sig\":\"{Sign(Key, nonce)}\""),
        ("wrong signature and a right password", _ => $"\"user\":\"alice\",\"pass\":\"wrong\",{Signed(Key, "AAAA")}"),
    ];

    private static string Signed(NkeyPair key, string signature) => $"\"nkey\":\"{key.PublicKey}\",\"sig\":\"{signature}\"";

    private static string Sign(NkeyPair key, string nonce) => Convert.ToBase64String(key.Sign(Encoding.ASCII.GetBytes(nonce))).TrimEnd('=').Replace('+', '-').Replace('/', '_');

    private static string Flip(string signature) => (signature[0] == 'A' ? 'B' : 'A') + signature[1..];
}
