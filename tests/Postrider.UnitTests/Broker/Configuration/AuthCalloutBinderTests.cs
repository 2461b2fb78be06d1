using Postrider.Broker;
using Postrider.Broker.Configuration;

namespace Postrider.UnitTests.Broker.Configuration;

/// <summary>The auth_callout block. The texts are nats-server 2.15.1's.</summary>
public sealed class AuthCalloutBinderTests
{
    private const string Issuer = "ABJHLOVMPA4CI6R5KLNGOB4GSLNIY7IOUPAJC4YFNDLQVIOBYQGUWVLA";
    private const string Curve = "XAB3NANV3M6N7AHSQP2U5FRWKKUT7EG2ZXXABV4XVXYQRJGM4S2CZGHT";

    [Fact]
    public void Block_is_read()
    {
        var options = Read($"accounts {{ A {{}}, B {{}} }}\nauthorization {{ auth_callout {{ issuer: {Issuer}, account: A, auth_users: [a, b], xkey: {Curve}, allowed_accounts: [B] }} }}");

        var expected = new AuthCalloutOptions { Issuer = Issuer, Account = "A", AuthUsers = ["a", "b"], CurveKey = Curve, AllowedAccounts = ["B"] };
        Assert.Equal(expected, options.Authorization!.Callout);
    }

    [Fact]
    public void Account_is_the_global_one_unless_it_is_named()
    {
        var options = Read($"authorization {{ auth_callout {{ issuer: {Issuer}, users: [a] }} }}");

        Assert.Equal(("$G", (string?)null), (options.Authorization!.Callout!.Account, options.Authorization.Callout.CurveKey));
    }

    [Theory]
    [InlineData("auth_callout: 5", "x.conf:1:17: Expected authorization callout to be a map/struct, got an integer")]
    [InlineData("auth_callout { issuer: X, auth_users: [a] }", "x.conf:1:32: Expected callout user to be a valid public account nkey, got \"X\"")]
    [InlineData("auth_callout { auth_users: [a] }", "x.conf:1:17: Authorization callouts require an issuer to be specified")]
    [InlineData("auth_callout { issuer: " + Issuer + " }", "x.conf:1:17: Authorization callouts require authorized users to be specified")]
    [InlineData("auth_callout { issuer: " + Issuer + ", auth_users: a }", "x.conf:1:98: Expected auth_users field to be an array, got a string")]
    [InlineData("auth_callout { issuer: " + Issuer + ", auth_users: [a], xkey: Y }", "x.conf:1:115: Expected callout xkey to be a valid public xkey, got \"Y\"")]
    [InlineData("auth_callout { issuer: " + Issuer + ", auth_users: [a], foo: 1 }", "x.conf:1:115: Unknown field \"foo\" parsing authorization callout")]
    public void Mistake_is_told(string block, string expected)
    {
        var error = Assert.Throws<BrokerException>(() => Read($"authorization {{ {block} }}"));

        Assert.Equal(expected, error.Message.Split('\n')[0]);
    }

    [Fact]
    public void Accounts_that_it_names_must_exist()
    {
        var options = Read($"authorization {{ auth_callout {{ issuer: {Issuer}, auth_users: [a], allowed_accounts: [NOPE] }} }}");

        var error = Assert.Throws<BrokerException>(options.Validate);

        Assert.Equal("auth_callout allowed account \"NOPE\" not found in configured accounts", error.Message);
    }

    private static BrokerOptions Read(string text)
    {
        var options = new BrokerOptions();
        ConfigurationFile.Apply("x.conf", options, new MemoryConfigSource { Files = { ["x.conf"] = text } });
        return options;
    }
}
