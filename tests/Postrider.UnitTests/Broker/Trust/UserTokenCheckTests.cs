using System.Buffers.Text;
using System.Net;
using System.Text;
using Microsoft.Extensions.Time.Testing;
using Postrider.Broker.Trust;
using Postrider.Credentials;

namespace Postrider.UnitTests.Broker.Trust;

public sealed class UserTokenCheckTests : IDisposable
{
    private const string Nonce = "PXoWU7zWAMt75FY";

    private static readonly DateTimeOffset Now = new(2026, 5, 4, 12, 0, 0, TimeSpan.Zero);

    private readonly FakeTimeProvider _clock = new(Now);
    private readonly NkeyPair _operator = NkeyPair.Create(NkeyKind.Operator);
    private readonly NkeyPair _account = NkeyPair.Create(NkeyKind.Account);
    private readonly NkeyPair _signing = NkeyPair.Create(NkeyKind.Account);
    private readonly NkeyPair _user = NkeyPair.Create(NkeyKind.User);

    public void Dispose()
    {
        _operator.Dispose();
        _account.Dispose();
        _signing.Dispose();
        _user.Dispose();
    }

    [Fact]
    public void User_of_a_trusted_account_is_granted_what_its_token_says()
    {
        var settings = new UserSettings
        {
            Permissions = new ClaimPermissions { Publish = new SubjectAccess { Allow = ["a"] }, Responses = new ResponseAccess(0, TimeSpan.Zero) },
            MaxSubscriptions = 5,
            MaxPayload = 1024,
        };

        var grant = Check(User() with { Settings = settings, Expires = Now.AddHours(1) });

        Assert.Equal((_user.PublicKey, _account.PublicKey), (grant.User.Subject, grant.Account.Subject));
        Assert.Equal((5, 1024, Now.AddHours(1)), (grant.MaxSubscriptions, grant.MaxPayloadBytes, grant.EndsAt));
        Assert.Equal(["a"], grant.Permissions!.Publish!.Allow);
        Assert.Equal((1, TimeSpan.FromMinutes(2)), (grant.Permissions.Responses!.MaxMessages, grant.Permissions.Responses.Expires));
        Assert.Null(grant.Permissions.Subscribe);
    }

    [Fact]
    public void Defaults_of_the_account_are_for_users_without_permissions()
    {
        var account = Account() with { DefaultPermissions = new ClaimPermissions { Subscribe = new SubjectAccess { Deny = ["secret"] } } };

        var without = Check(User(), account);
        var with = Check(User() with { Settings = new UserSettings { Permissions = new ClaimPermissions { Publish = new SubjectAccess { Allow = ["a"] } } } }, account);

        Assert.Equal(["secret"], without.Permissions!.Subscribe!.Deny);
        Assert.Null(without.Permissions.Subscribe.Allow);
        Assert.Null(with.Permissions!.Subscribe);
        Assert.Null(Check(User()).Permissions);
    }

    [Fact]
    public void Missing_or_foreign_tokens_are_refused()
    {
        using var stranger = NkeyPair.Create(NkeyKind.Account);

        AssertRefused("Authentication requires a user JWT", Request(null));
        AssertRefused("Authentication requires a user JWT", Request(""));
        AssertRefused("User JWT not valid: ", Request("abc"));
        AssertRefused("User JWT not valid: ", Request(Account().Encode(_operator, _clock)));
        AssertRefused("Account JWT lookup error: ", Request(User().Encode(stranger, _clock)));
    }

    [Fact]
    public void Users_for_whom_a_proxy_must_vouch_are_refused_and_those_of_a_callout_are_delegated()
    {
        var account = Account() with { Authorization = new ExternalAuthorization { Users = [_signing.PublicKey] } };
        var own = Account() with { Authorization = new ExternalAuthorization { Users = [_user.PublicKey] } };

        Assert.Equal("User requires a trusted proxy", Assert.Throws<UserTokenException>(() => Check(User() with { Settings = new UserSettings { RequiresProxy = true } })).Message);
        Assert.True(Check(User(), account).IsDelegated);
        Assert.Equal((_user.PublicKey, false), (Check(User(), own).User.Subject, Check(User(), own).IsDelegated));
    }

    [Fact]
    public void Account_that_nobody_trusted_signed_is_refused()
    {
        using var stranger = NkeyPair.Create(NkeyKind.Operator);
        var token = User().Encode(_account, _clock);

        AssertRefused("Account JWT not signed by trusted operator", Request(token), Account(), issuer: stranger);
        AssertRefused("Account JWT not signed by trusted operator", Request(token), Account(), issuer: _account);
        Assert.NotNull(Check(User(), Account(), issuer: stranger, trusted: new TrustedOperators([], [stranger.PublicKey])));
    }

    [Fact]
    public void Signing_keys_of_operator_and_account_sign_and_unknown_ones_do_not()
    {
        using var operators = NkeyPair.Create(NkeyKind.Operator);
        var authority = Operator() with { SigningKeys = [operators.PublicKey] };
        var account = Account() with { SigningKeys = [new AccountSigningKey(_signing.PublicKey)] };
        var user = User() with { IssuerAccount = _account.PublicKey };

        Assert.NotNull(Check(user, account, signer: _signing, issuer: operators, trusted: new TrustedOperators([authority], [])));
        AssertRefused("User JWT issuer is not known", Request(user.Encode(_signing, _clock)));
    }

    [Fact]
    public void Operator_that_requires_signing_keys_has_neither_own_key_accepted()
    {
        using var operators = NkeyPair.Create(NkeyKind.Operator);
        var authority = new TrustedOperators([Operator() with { SigningKeys = [operators.PublicKey], RequireSigningKeys = true }], []);
        var account = Account() with { SigningKeys = [new AccountSigningKey(_signing.PublicKey)] };

        AssertRefused("Account JWT not signed by trusted operator", Request(User().Encode(_account, _clock)), account, trusted: authority);
        AssertRefused("User JWT issuer is not known", Request(User().Encode(_account, _clock)), account, issuer: operators, trusted: authority);
        Assert.NotNull(Check(User() with { IssuerAccount = _account.PublicKey }, account, signer: _signing, issuer: operators, trusted: authority));
    }

    [Fact]
    public void Role_says_what_its_users_may_do_and_they_say_nothing_themselves()
    {
        var scope = new UserScope { Role = "r", Template = new UserSettings { Permissions = new ClaimPermissions { Publish = new SubjectAccess { Allow = ["u.{{name()}}"] } }, MaxPayload = 7 } };
        var account = Account() with { SigningKeys = [new AccountSigningKey(_signing.PublicKey, scope)] };
        var user = User() with { IssuerAccount = _account.PublicKey, Settings = null };

        var grant = Check(user, account, signer: _signing);

        Assert.Equal(["u.clerk"], grant.Permissions!.Publish!.Allow);
        Assert.Equal(7, grant.MaxPayloadBytes);
        AssertRefused("User JWT is not valid: scoped users require no permissions or limits set", Request((user with { Settings = new UserSettings() }).Encode(_signing, _clock)), account);
    }

    [Fact]
    public void Time_of_user_and_account_counts()
    {
        var token = (User() with { Expires = Now.AddSeconds(10), NotBefore = Now.AddSeconds(-10) }).Encode(_account, _clock);
        var account = Account() with { Expires = Now.AddSeconds(20) };
        Assert.NotNull(NewCheck(account).Check(Request(token)));

        _clock.Advance(TimeSpan.FromSeconds(11));
        AssertRefused("User JWT no longer valid: ", Request(token), account);
        _clock.Advance(TimeSpan.FromSeconds(10));
        AssertRefused("Account JWT has expired", Request(User().Encode(_account, _clock)), account);
    }

    [Fact]
    public void Signature_is_needed_of_all_but_bearers()
    {
        var token = User().Encode(_account, _clock);
        var bearer = (User() with { Settings = new UserSettings { IsBearer = true } }).Encode(_account, _clock);
        using var other = NkeyPair.Create(NkeyKind.User);

        AssertRefused("Signature missing", Request(token) with { Signature = null });
        AssertRefused("Signature not verified", Request(token) with { Signature = Base64Url.EncodeToString(other.Sign(Encoding.ASCII.GetBytes(Nonce))) });
        AssertRefused("Signature not verified", Request(token) with { Nonce = "another" });
        Assert.NotNull(NewCheck(Account()).Check(Request(bearer) with { Signature = null }));
        AssertRefused("Account does not allow bearer tokens", Request(bearer), Account() with { Limits = new AccountLimits { DisallowBearer = true } });
    }

    [Fact]
    public void Revoked_tokens_are_refused_and_newer_ones_are_not()
    {
        var account = Account() with { Revocations = new Dictionary<string, DateTimeOffset> { [_user.PublicKey] = Now } };
        AssertRefused("User authentication revoked", Request(User().Encode(_account, _clock)), account);

        _clock.Advance(TimeSpan.FromSeconds(1));

        Assert.NotNull(NewCheck(account).Check(Request(User().Encode(_account, _clock))));
    }

    [Fact]
    public void Connection_type_and_network_count()
    {
        var token = (User() with { Settings = new UserSettings { AllowedConnectionTypes = ["WEBSOCKET"], Sources = ["192.0.2.128/25", "2001:db8::/33"] } }).Encode(_account, _clock);
        var request = Request(token) with { ConnectionType = "WEBSOCKET" };

        AssertRefused("Connection type not allowed", Request(token));
        foreach (var allowed in (string[])["192.0.2.128", "192.0.2.255", "::ffff:192.0.2.130", "2001:db8:7fff::1"]) Assert.NotNull(NewCheck(Account()).Check(request with { Address = IPAddress.Parse(allowed) }));
        foreach (var refused in (string[])["192.0.2.127", "192.0.3.130", "2001:db8:8000::1", "::1"]) AssertRefused("Bad src Ip ", request with { Address = IPAddress.Parse(refused) });
        AssertRefused("Bad src Ip ", request with { Address = null });
    }

    [Fact]
    public void Unknown_connection_types_count_only_if_none_is_known()
    {
        string TokenFor(params string[] types) => (User() with { Settings = new UserSettings { AllowedConnectionTypes = types } }).Encode(_account, _clock);

        Assert.NotNull(NewCheck(Account()).Check(Request(TokenFor("FOO", "STANDARD"))));
        AssertRefused("Connection type not allowed", Request(TokenFor("FOO", "WEBSOCKET")));
        AssertRefused("User JWT no longer valid: ", Request(TokenFor("FOO")));
    }

    [Theory]
    [InlineData("Nowhere/X", false)]
    [InlineData("Europe/Berlin", true)]
    [InlineData("Local", true)]
    [InlineData("", true)]
    public void Time_zone_must_be_known_even_without_times(string zone, bool isKnown)
    {
        var token = (User() with { Settings = new UserSettings { TimeZone = zone } }).Encode(_account, _clock);

        if (isKnown) Assert.NotNull(NewCheck(Account()).Check(Request(token)));
        else AssertRefused("User JWT no longer valid: The time zone 'Nowhere/X' is unknown.", Request(token));
    }

    [Theory]
    [InlineData("11:00:00", "13:00:00", 1.0)]
    [InlineData("12:00:00", "13:00:00", null)]
    [InlineData("11:00:00", "12:00:00", null)]
    [InlineData("22:00:00", "06:00:00", null)]
    [InlineData("22:00:00", "12:30:00", 0.5)]
    [InlineData("11:00:00", "06:00:00", 18.0)]
    public void Part_of_the_day_counts_and_ends_the_connection(string start, string end, double? hours)
    {
        var settings = new UserSettings { Times = [new DailyTime(TimeOnly.Parse(start), TimeOnly.Parse(end))], TimeZone = "UTC" };
        var token = (User() with { Settings = settings }).Encode(_account, _clock);

        if (hours is null) AssertRefused("Outside connect times", Request(token));
        else Assert.Equal(Now.AddHours(hours.Value), NewCheck(Account()).Check(Request(token)).EndsAt);
    }

    [Fact]
    public void Unknown_time_zone_refuses_and_the_token_may_end_before_the_part_of_the_day()
    {
        var times = new UserSettings { Times = [new DailyTime(new TimeOnly(11, 0), new TimeOnly(13, 0))], TimeZone = "UTC" };

        AssertRefused("User JWT no longer valid: The time zone 'No/Where' is unknown.", Request((User() with { Settings = times with { TimeZone = "No/Where" } }).Encode(_account, _clock)));
        Assert.Equal(Now.AddMinutes(5), Check(User() with { Settings = times, Expires = Now.AddMinutes(5) }).EndsAt);
        Assert.Null(Check(User()).EndsAt);
    }

    private OperatorClaims Operator() => NatsJwt.DecodeAnyTime<OperatorClaims>(new OperatorClaims { Subject = _operator.PublicKey }.Encode(_operator, _clock));

    private AccountClaims Account() => new() { Subject = _account.PublicKey, Name = "orders" };

    private UserClaims User() => new() { Subject = _user.PublicKey, Name = "clerk" };

    private UserTokenRequest Request(string? token) => new(token, Nonce, Base64Url.EncodeToString(_user.Sign(Encoding.ASCII.GetBytes(Nonce))), "STANDARD", IPAddress.Loopback);

    private UserTokenCheck NewCheck(AccountClaims account, NkeyPair? issuer = null, TrustedOperators? trusted = null)
    {
        var known = NatsJwt.DecodeAnyTime<AccountClaims>(account.Encode(issuer ?? _operator, _clock));
        return new UserTokenCheck(trusted ?? new TrustedOperators([Operator()], []), key => key == known.Subject ? known : null, _clock);
    }

    private UserGrant Check(UserClaims user, AccountClaims? account = null, NkeyPair? signer = null, NkeyPair? issuer = null, TrustedOperators? trusted = null)
        => NewCheck(account ?? Account(), issuer, trusted).Check(Request(user.Encode(signer ?? _account, _clock)));

    private void AssertRefused(string reason, UserTokenRequest request, AccountClaims? account = null, NkeyPair? issuer = null, TrustedOperators? trusted = null)
    {
        var refused = Assert.Throws<UserTokenException>(() => NewCheck(account ?? Account(), issuer, trusted).Check(request));

        Assert.StartsWith(reason, refused.Message, StringComparison.Ordinal);
    }
}
