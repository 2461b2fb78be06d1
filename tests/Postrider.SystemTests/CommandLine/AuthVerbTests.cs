using System.CommandLine;
using Postrider.CommandLine.Authority;
using Postrider.CommandLine.Terminal;
using Postrider.CommandLine.Verbs;
using Postrider.Credentials;

namespace Postrider.SystemTests.CommandLine;

/// <summary><c>postrider auth</c> in this process: what it leaves in its folder.</summary>
public sealed class AuthVerbTests : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("postrider-auth-");

    private AuthorityStore Store => new(Path.Combine(_folder.FullName, "auth"), TimeProvider.System);

    public void Dispose() => _folder.Delete(recursive: true);

    [Fact]
    public void Operator_has_a_signing_key_and_a_system_account_that_it_signed()
    {
        Run(0, "operator", "add", "shop");

        var authority = Store.ReadOperator();
        var system = Store.ReadAccount("SYS");
        Assert.Equal(("shop", system.Subject), (authority.Name, authority.SystemAccount));
        Assert.Equal(Assert.Single(authority.SigningKeys), system.Issuer);
        Assert.True(authority.Trusts(system.Issuer));
    }

    [Fact]
    public void Keys_are_their_owners_alone()
    {
        Run(0, "operator", "add", "shop");

        var keys = Directory.GetFiles(Path.Combine(_folder.FullName, "auth", "keys"));
        Assert.Equal(3, keys.Length);
        // Windows has no such modes.
        if (OperatingSystem.IsWindows()) return;
        foreach (var key in keys) Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(key));
        Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute, File.GetUnixFileMode(Path.GetDirectoryName(keys[0])!));
    }

    [Fact]
    public void Second_operator_account_or_user_of_a_name_is_refused()
    {
        Run(0, "operator", "add", "shop");
        Run(0, "account", "add", "orders");
        Run(0, "user", "add", "orders", "clerk");
        var (authority, account, user) = (Store.OperatorToken, Store.ReadAccountToken("orders"), Store.ReadUserToken("orders", "clerk"));

        Run(1, "operator", "add", "other");
        Run(1, "account", "add", "orders");
        Run(1, "user", "add", "orders", "clerk");

        Assert.Equal((authority, account, user), (Store.OperatorToken, Store.ReadAccountToken("orders"), Store.ReadUserToken("orders", "clerk")));
    }

    [Theory]
    [InlineData("../out")]
    [InlineData("a/b")]
    [InlineData(".hidden")]
    [InlineData("")]
    [InlineData("ä")]
    public void Name_that_leads_out_of_the_folder_is_refused(string name)
    {
        Run(0, "operator", "add", "shop");

        Run(1, "account", "add", name);
        Run(1, "user", "add", "SYS", name);

        Assert.Equal(["SYS"], Store.ListAccounts());
        Assert.Empty(Store.ListUsers("SYS"));
    }

    [Fact]
    public void Account_gets_its_limits_and_an_edit_changes_what_is_given()
    {
        Run(0, "operator", "add", "shop");
        Run(0, "account", "add", "orders", "--js-disk", "1GB", "--js-streams", "5", "--max-connections", "10", "--max-payload", "64KB", "--allow-pub", "a,b", "--description", "all orders", "--disallow-bearer");
        var before = Store.ReadAccount("orders");

        Run(0, "account", "edit", "orders", "--max-connections", "-1", "--js-disk", "2GB", "--deny-pub", "c", "--expires", "1d");

        var after = Store.ReadAccount("orders");
        Assert.Equal((10, 65_536, true), (before.Limits.MaxConnections, before.Limits.MaxPayload, before.Limits.DisallowBearer));
        Assert.Equal((1L << 30, 5), (before.Limits.JetStream!.DiskBytes, before.Limits.JetStream.MaxStreams));
        Assert.Equal((null, 65_536, "all orders"), (after.Limits.MaxConnections, after.Limits.MaxPayload, after.Description));
        Assert.Equal((2L << 30, 5), (after.Limits.JetStream!.DiskBytes, after.Limits.JetStream.MaxStreams));
        Assert.Equal(["a", "b"], after.DefaultPermissions.Publish.Allow);
        Assert.Equal(["c"], after.DefaultPermissions.Publish.Deny);
        Assert.InRange(after.Expires!.Value, DateTimeOffset.UtcNow.AddHours(23), DateTimeOffset.UtcNow.AddHours(25));
        Assert.Equal(before.Subject, after.Subject);
    }

    [Fact]
    public void Expiry_of_0_is_none()
    {
        Run(0, "operator", "add", "shop");
        Run(0, "user", "add", "SYS", "admin", "--expires", "1h");
        Assert.NotNull(Store.ReadUser("SYS", "admin").Expires);

        Run(0, "user", "edit", "SYS", "admin", "--expires", "0");

        Assert.Null(Store.ReadUser("SYS", "admin").Expires);
    }

    [Fact]
    public void User_gets_its_permissions_and_its_file()
    {
        Run(0, "operator", "add", "shop");
        Run(0, "account", "add", "orders");
        var file = Path.Combine(_folder.FullName, "clerk.creds");

        Run(0, "user", "add", "orders", "clerk", "--allow-pub", "orders.>", "--allow-sub", "orders.> crew", "--allow-responses", "--response-ttl", "5s", "--source", "192.0.2.0/24", "--connection-types", "standard", "--max-subs", "7", "--out", file);

        using var credentials = CredentialsFile.Read(file);
        var claims = NatsJwt.Decode<UserClaims>(credentials.Jwt);
        var settings = claims.Settings!;
        Assert.Equal((claims.Subject, Store.ReadAccount("orders").Subject), (credentials.Key.PublicKey, claims.Issuer));
        Assert.Equal(["orders.>"], settings.Permissions.Publish.Allow);
        Assert.Equal(["orders.> crew"], settings.Permissions.Subscribe.Allow);
        Assert.Equal(new ResponseAccess(1, TimeSpan.FromSeconds(5)), settings.Permissions.Responses);
        Assert.Equal(["192.0.2.0/24"], settings.Sources);
        Assert.Equal(["STANDARD"], settings.AllowedConnectionTypes);
        Assert.Equal(7, settings.MaxSubscriptions);
    }

    [Fact]
    public void Users_key_may_stay_with_the_user()
    {
        Run(0, "operator", "add", "shop");
        using var key = NkeyPair.Create(NkeyKind.User);

        Run(0, "user", "add", "SYS", "remote", "--key", key.PublicKey);
        Run(1, "user", "creds", "SYS", "remote", "--out", Path.Combine(_folder.FullName, "x.creds"));
        Run(1, "user", "add", "SYS", "other", "--key", key.PublicKey, "--out", Path.Combine(_folder.FullName, "x.creds"));

        Assert.Equal(key.PublicKey, Store.ReadUser("SYS", "remote").Subject);
        Assert.Empty(_folder.GetFiles());
    }

    [Fact]
    public void Role_belongs_to_a_signing_key_that_signs_its_users()
    {
        Run(0, "operator", "add", "shop");
        Run(0, "account", "add", "orders");
        Run(0, "signing-key", "add", "orders", "--role", "monitor", "--allow-sub", "orders.>", "--description", "reads");
        Run(1, "signing-key", "add", "orders", "--role", "monitor");
        Run(1, "signing-key", "add", "orders", "--allow-sub", "a");
        Run(1, "user", "add", "orders", "probe", "--role", "monitor", "--allow-sub", "more");
        Run(1, "user", "add", "orders", "probe", "--role", "unknown");

        Run(0, "user", "add", "orders", "probe", "--role", "monitor");

        var key = Assert.Single(Store.ReadAccount("orders").SigningKeys);
        var probe = Store.ReadUser("orders", "probe");
        Assert.Equal((key.Key, Store.ReadAccount("orders").Subject, null), (probe.Issuer, probe.IssuerAccount, probe.Settings));
        Run(0, "user", "edit", "orders", "probe", "--expires", "1d");
        Run(1, "user", "edit", "orders", "probe", "--allow-pub", "a");
        Assert.Null(Store.ReadUser("orders", "probe").Settings);
        Run(0, "signing-key", "remove", "orders", "--key", key.Key);
        Assert.Empty(Store.ReadAccount("orders").SigningKeys);
    }

    [Fact]
    public void Operator_that_requires_signing_keys_signs_with_none_other()
    {
        Run(0, "operator", "add", "shop", "--require-signing-keys");
        Run(0, "account", "add", "orders");
        Run(1, "user", "add", "orders", "clerk");
        Run(0, "signing-key", "add", "orders");

        Run(0, "user", "add", "orders", "clerk");

        Assert.Equal(Assert.Single(Store.ReadAccount("orders").SigningKeys).Key, Store.ReadUser("orders", "clerk").Issuer);
        Run(0, "signing-key", "add");
        Assert.Equal(2, Store.ReadOperator().SigningKeys.Count);
    }

    [Fact]
    public void Revocation_stands_in_the_accounts_token()
    {
        Run(0, "operator", "add", "shop");
        Run(0, "user", "add", "SYS", "admin");

        Run(0, "user", "revoke", "SYS", "admin");

        var user = Store.ReadUser("SYS", "admin");
        Assert.True(Store.ReadAccount("SYS").IsRevoked(user.Subject, user.IssuedAt));
    }

    [Fact]
    public void Configuration_has_the_operator_and_every_account()
    {
        Run(0, "operator", "add", "shop");
        Run(0, "account", "add", "orders");
        var (file, full) = (Path.Combine(_folder.FullName, "a.conf"), Path.Combine(_folder.FullName, "b.conf"));

        Run(0, "resolver-config", "--out", file);
        Run(0, "resolver-config", "--out", full, "--resolver-dir", "/var/lib/tokens");

        Assert.Equal(
            $$"""
            # Operator shop: include this file in a server's configuration.
            operator: {{Store.OperatorToken}}
            system_account: {{Store.ReadAccount("SYS").Subject}}
            resolver: MEMORY
            resolver_preload {
              # SYS
              {{Store.ReadAccount("SYS").Subject}}: {{Store.ReadAccountToken("SYS")}}
              # orders
              {{Store.ReadAccount("orders").Subject}}: {{Store.ReadAccountToken("orders")}}
            }

            """,
            File.ReadAllText(file));
        Assert.Contains("type: full\n  dir: \"/var/lib/tokens\"", File.ReadAllText(full), StringComparison.Ordinal);
    }

    [Fact]
    public void Invalid_permissions_are_refused_and_nothing_is_written()
    {
        Run(0, "operator", "add", "shop");

        Run(1, "user", "add", "SYS", "clerk", "--allow-pub", "a..b");
        Run(1, "user", "add", "SYS", "clerk", "--source", "everywhere");

        Assert.Empty(Store.ListUsers("SYS"));
    }

    [Fact]
    public void Without_an_operator_there_is_nothing_to_do()
    {
        Run(1, "account", "add", "orders");
        Run(1, "user", "add", "orders", "clerk");
        Run(1, "operator", "show");
        Run(1, "resolver-config");

        Assert.Empty(_folder.GetFileSystemInfos());
    }

    private void Run(int expected, params string[] words)
    {
        string[] line = ["auth", .. words, "--dir", Path.Combine(_folder.FullName, "auth")];

        var parsed = PostriderCommand.Create().Parse(line);

        Assert.Empty(parsed.Errors);
        Assert.Equal(expected, parsed.Invoke());
    }
}
