using System.Text.Json;
using Postrider.Credentials;
using Postrider.Credentials.Claims;

namespace Postrider.UnitTests.Credentials.Claims;

public sealed class ClaimsRoundTripTests : IDisposable
{
    private static readonly DateTimeOffset Time = new(2026, 5, 4, 12, 0, 0, TimeSpan.Zero);

    private readonly NkeyPair _operator = NkeyPair.Create(NkeyKind.Operator);
    private readonly NkeyPair _account = NkeyPair.Create(NkeyKind.Account);
    private readonly NkeyPair _other = NkeyPair.Create(NkeyKind.Account);
    private readonly NkeyPair _user = NkeyPair.Create(NkeyKind.User);
    private readonly CurveKeyPair _curve = CurveKeyPair.Create();

    public void Dispose()
    {
        _operator.Dispose();
        _account.Dispose();
        _other.Dispose();
        _user.Dispose();
        _curve.Dispose();
    }

    [Fact]
    public void Operator_keeps_everything()
    {
        var claims = new OperatorClaims
        {
            Subject = _operator.PublicKey,
            Name = "shop",
            Audience = "all",
            SigningKeys = [_operator.PublicKey],
            AccountServerUrl = "https://accounts.example.com/jwt/v1",
            ServiceUrls = ["nats://one:4222", "tls://two:4222"],
            SystemAccount = _account.PublicKey,
            MinServerVersion = "2.10.0",
            RequireSigningKeys = true,
        };

        var read = AssertRoundTrip(claims, _operator);

        Assert.Empty(read.FindProblems());
        Assert.True(read.Trusts(_operator.PublicKey));
        Assert.False((read with { SigningKeys = [] }).Trusts(_operator.PublicKey));
    }

    [Fact]
    public void Account_keeps_everything()
    {
        var claims = new AccountClaims
        {
            Subject = _account.PublicKey,
            Name = "orders",
            Expires = Time.AddDays(1),
            NotBefore = Time,
            Imports =
            [
                new AccountImport { Name = "i", Subject = "a.*", Account = _other.PublicKey, Kind = ExportKind.Stream, LocalSubject = "b.$1", AllowTrace = true, Token = "eyJ" },
                new AccountImport { Subject = "s", Account = _other.PublicKey, Kind = ExportKind.Service, To = "t", Share = true },
            ],
            Exports =
            [
                new AccountExport
                {
                    Name = "e", Subject = "x.*.>", Kind = ExportKind.Service, TokenRequired = true, ResponseType = ResponseType.Chunked, ResponseThreshold = TimeSpan.FromSeconds(2),
                    Latency = new ServiceLatency(50, "latency"), AccountTokenPosition = 2, Advertise = true, AllowTrace = true, Description = "d", InfoUrl = "https://example.com",
                    Revocations = new Dictionary<string, DateTimeOffset> { ["*"] = Time },
                },
                new AccountExport { Subject = "y", Kind = ExportKind.Service, ResponseType = ResponseType.Stream, Latency = new ServiceLatency(0, "latency") },
                new AccountExport { Subject = "z", Kind = ExportKind.Stream },
            ],
            Limits = new AccountLimits
            {
                MaxSubscriptions = 1, MaxData = 2, MaxPayload = 3, MaxImports = 4, MaxExports = 5, AllowWildcardExports = true, DisallowBearer = true, MaxConnections = 6, MaxLeafNodes = 0,
                JetStream = new JetStreamClaimLimits { MemoryBytes = 7, DiskBytes = null, MaxStreams = 8, MaxConsumers = null, MaxAckPending = 9, MaxMemoryStreamBytes = 10, MaxDiskStreamBytes = 11, MaxBytesRequired = true },
            },
            SigningKeys =
            [
                new AccountSigningKey(_account.PublicKey),
                new AccountSigningKey(_other.PublicKey, new UserScope { Role = "monitor", Description = "reads", Template = new UserSettings { MaxSubscriptions = 5, IsBearer = true } }),
            ],
            Revocations = new Dictionary<string, DateTimeOffset> { [_user.PublicKey] = Time },
            DefaultPermissions = new ClaimPermissions { Publish = new SubjectAccess { Allow = ["a"], Deny = ["b"] }, Responses = new ResponseAccess(-1, TimeSpan.FromSeconds(1)) },
            Mappings = new Dictionary<string, IReadOnlyList<WeightedMapping>> { ["m"] = [new("n", 60, "east"), new("o", 40)] },
            Authorization = new ExternalAuthorization { Users = [_user.PublicKey], AllowedAccounts = ["*"], CurveKey = _curve.PublicKey },
            Trace = new MessageTrace("trace", 10),
            ClusterTraffic = "owner",
            Description = "about",
            InfoUrl = "https://example.com/orders",
        };

        var read = AssertRoundTrip(claims, _operator);

        Assert.Empty(read.FindProblems());
        Assert.Equal("monitor", read.FindSigner(_other.PublicKey)!.Scope!.Role);
        Assert.Null(read.FindSigner(_user.PublicKey));
    }

    [Fact]
    public void Account_without_streams_keeps_limits_of_tiers()
    {
        var claims = new AccountClaims
        {
            Subject = _account.PublicKey,
            Limits = new AccountLimits { JetStreamTiers = new Dictionary<string, JetStreamClaimLimits> { ["R3"] = new() { DiskBytes = 1 }, ["R1"] = new() { MemoryBytes = null } } },
        };

        var read = AssertRoundTrip(claims, _operator);

        Assert.Null(read.Limits.JetStream);
        Assert.Equal((1, null), (read.Limits.JetStreamTiers["R3"].DiskBytes, read.Limits.JetStreamTiers["R1"].MemoryBytes));
    }

    [Fact]
    public void User_keeps_everything()
    {
        var claims = new UserClaims
        {
            Subject = _user.PublicKey,
            Name = "clerk",
            IssuerAccount = _other.PublicKey,
            Tags = ["till"],
            Settings = new UserSettings
            {
                Permissions = new ClaimPermissions { Subscribe = new SubjectAccess { Allow = ["a.> workers"], Deny = ["b"] }, Responses = new ResponseAccess(5, TimeSpan.FromMinutes(1)) },
                Sources = ["192.0.2.0/24", "2001:db8::/32"],
                Times = [new DailyTime(new TimeOnly(8, 0), new TimeOnly(17, 30, 15))],
                TimeZone = "Europe/Berlin",
                MaxSubscriptions = 0,
                MaxData = null,
                MaxPayload = 1024,
                IsBearer = true,
                RequiresProxy = true,
                AllowedConnectionTypes = ["STANDARD", "WEBSOCKET"],
            },
        };

        var read = AssertRoundTrip(claims, _account);

        Assert.Empty(read.FindProblems());
        Assert.Equal((_other.PublicKey, 0, null), (read.Account, read.Settings!.MaxSubscriptions, read.Settings.MaxData));
    }

    [Fact]
    public void Negative_limits_other_than_minus_one_allow_nothing()
    {
        var claims = new AccountClaims { Subject = _account.PublicKey, Limits = new AccountLimits { MaxSubscriptions = -5, MaxImports = -5, MaxExports = -2, MaxPayload = long.MinValue, MaxConnections = -1 } };

        var read = AssertRoundTrip(claims, _operator);

        Assert.Equal((-5, long.MinValue, null), (read.Limits.MaxSubscriptions, read.Limits.MaxPayload, read.Limits.MaxConnections));
        Assert.Equal(["The account has 0 imports, the operator allows -5.", "The account has 0 exports, the operator allows -2."], read.FindProblems());
    }

    [Fact]
    public void Exports_may_have_wildcards_unless_their_number_is_limited()
    {
        var claims = new AccountClaims { Subject = _account.PublicKey, Exports = [new AccountExport { Subject = "a.*", Kind = ExportKind.Stream }], Limits = new AccountLimits { AllowWildcardExports = false } };

        Assert.Empty(claims.FindProblems());
        Assert.Single((claims with { Limits = claims.Limits with { MaxExports = 2 } }).FindProblems());
    }

    [Fact]
    public void User_of_a_scoped_key_has_no_settings_of_its_own()
    {
        var read = AssertRoundTrip(new UserClaims { Subject = _user.PublicKey, Settings = null, IssuerAccount = _other.PublicKey }, _account);

        Assert.Null(read.Settings);
    }

    [Fact]
    public void Activation_keeps_everything()
    {
        var read = AssertRoundTrip(new ActivationClaims { Subject = _other.PublicKey, ImportSubject = "orders.>", Kind = ExportKind.Service, IssuerAccount = _account.PublicKey }, _account);

        Assert.Empty(read.FindProblems());
    }

    [Fact]
    public void Revocation_hits_what_was_issued_until_then()
    {
        var claims = new AccountClaims { Subject = _account.PublicKey, Revocations = new Dictionary<string, DateTimeOffset> { [_user.PublicKey] = Time } };
        var all = claims with { Revocations = new Dictionary<string, DateTimeOffset> { ["*"] = Time } };

        Assert.True(claims.IsRevoked(_user.PublicKey, Time));
        Assert.False(claims.IsRevoked(_user.PublicKey, Time.AddSeconds(1)));
        Assert.False(claims.IsRevoked("U", Time));
        Assert.False(claims.IsRevoked("U", null));
        Assert.True(claims.IsRevoked(_user.PublicKey, null));
        Assert.True(all.IsRevoked("U", null));
        Assert.True(all.IsRevoked("U", Time.AddHours(-1)));
    }

    [Theory]
    [InlineData("1800000000000", 9999)]
    [InlineData("9223372036854775807", 9999)]
    [InlineData("-99999999999999", 1)]
    [InlineData("-1", 1969)]
    public void Times_beyond_every_date_are_never_or_long_ago(string seconds, int year)
    {
        using var json = System.Text.Json.JsonDocument.Parse($$"""{"exp":{{seconds}}}""");

        Assert.Equal(year, new ClaimsReader(json.RootElement, "token").Time("exp")?.Year);
    }

    [Fact]
    public void Problems_name_what_is_wrong()
    {
        var account = new AccountClaims
        {
            Subject = _user.PublicKey,
            Imports = [new AccountImport { Subject = "a..b", Account = "x", Kind = ExportKind.Stream, LocalSubject = "a", To = "b", Share = true }],
            Exports = [new AccountExport { Subject = "a.>", Kind = ExportKind.Stream, Latency = new ServiceLatency(101, ""), AccountTokenPosition = 1 }],
            Limits = new AccountLimits { MaxImports = 0, MaxExports = 0, AllowWildcardExports = false, JetStream = new JetStreamClaimLimits { DiskBytes = 1 }, JetStreamTiers = new Dictionary<string, JetStreamClaimLimits> { ["R1"] = new() } },
            SigningKeys = [new AccountSigningKey("k", new UserScope { Template = new UserSettings { Sources = ["10.0.0.1"], AllowedConnectionTypes = ["CARRIER"] } })],
            DefaultPermissions = new ClaimPermissions { Publish = new SubjectAccess { Allow = ["a queue"] } },
            Mappings = new Dictionary<string, IReadOnlyList<WeightedMapping>> { ["m"] = [new("n", 60), new("o", 60)] },
            Authorization = new ExternalAuthorization { AllowedAccounts = ["y"], CurveKey = "z" },
            Trace = new MessageTrace("", 0),
            ClusterTraffic = "nobody",
        };

        var problems = account.FindProblems();

        foreach (var part in (string[])["not an account key", "a..b", "'x'", "both a local subject", "shares", "only services", "101|between 1 and 100", "not the position of a '*'", "1 imports", "1 exports", "wildcard", "tiers", "'k'", "10.0.0.1", "CARRIER", "a queue", "100 percent", "'y'", "'z'", "but no users", "destination of traces", "nobody"])
            Assert.Contains(problems, problem => part.Split('|').Any(alternative => problem.Contains(alternative, StringComparison.Ordinal)));
    }

    // What is read is written again to the same bytes: nothing was lost in between.
    private static T AssertRoundTrip<T>(T claims, NkeyPair issuer)
        where T : JwtClaims
    {
        var read = NatsJwt.DecodeAnyTime<T>(claims.Encode(issuer));

        var given = TokenEncoder.Render(claims with { Issuer = read.Issuer, IssuedAt = read.IssuedAt, Id = read.Id }, withDetails: true);
        Assert.Equal(Text(given), Text(TokenEncoder.Render(read, withDetails: true)));
        return read;
    }

    private static string Text(byte[] json) => JsonDocument.Parse(json).RootElement.GetRawText();
}
