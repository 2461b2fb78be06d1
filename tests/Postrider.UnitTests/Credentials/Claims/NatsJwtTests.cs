using System.Buffers.Text;
using System.Text;
using Microsoft.Extensions.Time.Testing;
using Postrider.Credentials;
using Postrider.Credentials.Claims;

namespace Postrider.UnitTests.Credentials.Claims;

public sealed class NatsJwtTests : IDisposable
{
    private const string Header = """{"typ":"JWT","alg":"ed25519-nkey"}""";

    private static readonly DateTimeOffset Now = new(2026, 5, 4, 12, 0, 0, TimeSpan.Zero);

    private readonly FakeTimeProvider _clock = new(Now);
    private readonly NkeyPair _operator = NkeyPair.Create(NkeyKind.Operator);
    private readonly NkeyPair _account = NkeyPair.Create(NkeyKind.Account);
    private readonly NkeyPair _user = NkeyPair.Create(NkeyKind.User);

    public static TheoryData<string> OfGo => [GoTokens.Operator, GoTokens.User];

    public void Dispose()
    {
        _operator.Dispose();
        _account.Dispose();
        _user.Dispose();
    }

    [Fact]
    public void Tokens_of_Gos_tools_are_read_and_verified()
    {
        var authority = NatsJwt.Decode<OperatorClaims>(GoTokens.Operator);
        var account = NatsJwt.Decode<AccountClaims>(GoTokens.Account);
        var user = NatsJwt.Decode<UserClaims>(GoTokens.User);

        Assert.Equal("js-test", authority.Name);
        Assert.True(authority.IsSelfSigned);
        Assert.True(authority.Trusts(account.Issuer));
        Assert.Equal((1_073_741_824, 10_737_418_240, 100), (account.Limits.JetStream!.MemoryBytes, account.Limits.JetStream.DiskBytes, account.Limits.JetStream.MaxStreams));
        Assert.NotNull(account.FindSigner(user.Issuer));
        Assert.Equal(GoTokens.UserKey, user.Subject);
        Assert.Equal(account.Subject, user.Account);
        Assert.Equal(new DateTimeOffset(2021, 3, 20, 13, 33, 52, TimeSpan.Zero), user.IssuedAt);
        Assert.NotNull(user.Settings);
        Assert.Null(user.Settings.MaxPayload);
    }

    [Theory]
    [MemberData(nameof(OfGo))]
    public void Claims_of_Gos_tools_are_written_byte_for_byte_as_they_were(string token)
    {
        var claims = NatsJwt.DecodeAnyTime(token);

        var written = Encoding.UTF8.GetString(TokenEncoder.Render(claims, withDetails: true));

        Assert.Equal(Encoding.UTF8.GetString(Base64Url.DecodeFromChars(token.Split('.')[1])), written);
        Assert.Equal(claims.Id, TokenEncoder.ComputeId(claims));
    }

    [Fact]
    public void Id_of_an_account_is_the_hash_that_Gos_tools_make() => Assert.Equal(NatsJwt.DecodeAnyTime(GoTokens.Account).Id, TokenEncoder.ComputeId(NatsJwt.DecodeAnyTime(GoTokens.Account)));

    [Fact]
    public void What_Go_escapes_is_escaped()
    {
        var claims = new UserClaims { Subject = _user.PublicKey, Name = "a<b>&c", Settings = new UserSettings { Permissions = new ClaimPermissions { Publish = new SubjectAccess { Allow = ["orders.>"] } } } };

        var token = claims.Encode(_account, _clock);

        var json = Encoding.UTF8.GetString(Base64Url.DecodeFromChars(token.Split('.')[1]));
        Assert.Contains("""
            "name":"a\u003cb\u003e\u0026c"
            """, json, StringComparison.Ordinal);
        Assert.Contains("""
            {"pub":{"allow":["orders.\u003e"]},"sub":{},"subs":-1,"data":-1,"payload":-1,"type":"user","version":2}
            """, json, StringComparison.Ordinal);
        Assert.Equal("a<b>&c", NatsJwt.Decode<UserClaims>(token, _clock).Name);
    }

    [Fact]
    public void Encoding_sets_issuer_time_and_id()
    {
        var claims = NatsJwt.Decode<UserClaims>(new UserClaims { Subject = _user.PublicKey, Tags = ["a", "b"] }.Encode(_account, _clock), _clock);

        Assert.Equal((_account.PublicKey, Now), (claims.Issuer, claims.IssuedAt));
        Assert.Equal(52, claims.Id!.Length);
        Assert.Equal(["a", "b"], claims.Tags);
    }

    [Fact]
    public void Token_ends_one_second_after_its_expiry()
    {
        var token = new UserClaims { Subject = _user.PublicKey, Name = "clerk", Expires = Now.AddMinutes(1) }.Encode(_account, _clock);

        _clock.Advance(TimeSpan.FromSeconds(60.9));
        NatsJwt.Decode(token, _clock);
        _clock.Advance(TimeSpan.FromSeconds(0.1));

        var refused = Assert.Throws<CredentialsException>(() => NatsJwt.Decode(token, _clock));
        Assert.Equal(CredentialsErrorCode.Expired, refused.Code);
        Assert.Contains("user 'clerk'", refused.Message, StringComparison.Ordinal);
        Assert.Contains("2026-05-04 12:01:00Z", refused.Message, StringComparison.Ordinal);
        Assert.Equal("clerk", NatsJwt.DecodeAnyTime(token).Name);
    }

    [Fact]
    public void Token_is_refused_before_its_time()
    {
        var token = new AccountClaims { Subject = _account.PublicKey, NotBefore = Now.AddSeconds(10) }.Encode(_operator, _clock);

        Assert.Equal(CredentialsErrorCode.NotYetValid, Assert.Throws<CredentialsException>(() => NatsJwt.Decode(token, _clock)).Code);
        _clock.Advance(TimeSpan.FromSeconds(10));

        NatsJwt.Decode(token, _clock);
    }

    [Fact]
    public void Every_changed_letter_is_noticed()
    {
        var token = new UserClaims { Subject = _user.PublicKey, Name = "clerk" }.Encode(_account, _clock);
        for (var i = 0; i < token.Length; i++)
        {
            var changed = token.ToCharArray();
            changed[i] = changed[i] == 'A' ? 'B' : 'A';

            Assert.Throws<CredentialsException>(() => NatsJwt.DecodeAnyTime(new string(changed)));
        }
    }

    [Fact]
    public void Token_cut_anywhere_is_refused()
    {
        var token = new UserClaims { Subject = _user.PublicKey }.Encode(_account, _clock);
        for (var length = 0; length < token.Length; length++) Assert.Throws<CredentialsException>(() => NatsJwt.DecodeAnyTime(token[..length]));
    }

    [Fact]
    public void Signature_of_another_token_is_refused()
    {
        var one = new UserClaims { Subject = _user.PublicKey, Name = "one" }.Encode(_account, _clock);
        var other = new UserClaims { Subject = _user.PublicKey, Name = "two" }.Encode(_account, _clock);

        var swapped = $"{one[..one.LastIndexOf('.')]}{other[other.LastIndexOf('.')..]}";

        Assert.Equal(CredentialsErrorCode.InvalidSignature, Assert.Throws<CredentialsException>(() => NatsJwt.DecodeAnyTime(swapped)).Code);
    }

    [Theory]
    [InlineData("""{"typ":"JWT","alg":"none"}""", CredentialsErrorCode.UnsupportedAlgorithm)]
    [InlineData("""{"typ":"JWT","alg":"HS256"}""", CredentialsErrorCode.UnsupportedAlgorithm)]
    [InlineData("""{"typ":"JWT","alg":"ed25519-nkeys"}""", CredentialsErrorCode.UnsupportedAlgorithm)]
    [InlineData("""{"typ":"JWT"}""", CredentialsErrorCode.UnsupportedAlgorithm)]
    [InlineData("""{"typ":"JWE","alg":"ed25519-nkey"}""", CredentialsErrorCode.InvalidToken)]
    [InlineData("""{"alg":"ed25519-nkey"}""", CredentialsErrorCode.InvalidToken)]
    [InlineData("""{"typ":"JWT","alg":"ed25519-nkey","alg":"ed25519-nkey"}""", CredentialsErrorCode.InvalidToken)]
    [InlineData("""["JWT"]""", CredentialsErrorCode.InvalidToken)]
    [InlineData("""{"typ":1,"alg":"ed25519-nkey"}""", CredentialsErrorCode.InvalidToken)]
    public void Header_of_another_kind_is_refused(string header, CredentialsErrorCode code)
        => Assert.Equal(code, Assert.Throws<CredentialsException>(() => NatsJwt.DecodeAnyTime(Sign(UserJson(), _account, header))).Code);

    // Whoever connects can send such a token: its signature is only verified once it was read.
    [Theory]
    [InlineData("""{"typ":"\ud800","alg":"ed25519-nkey"}""", "{}")]
    [InlineData(Header, """{"iss":"\udc00","nats":{"type":"user","version":2}}""")]
    [InlineData(Header, """{"iss":"a","nats":{"type":"user","version":2,"tags":["\ud800"]}}""")]
    [InlineData(Header, """{"nats":{"type":"\ud800","version":2}}""")]
    [InlineData(Header, """{"sub":"\ud800","nats":{"type":"account","version":2,"signing_keys":["\ud800"]}}""")]
    [InlineData(Header, """{"nats":{"type":"account","version":2,"mappings":{"\ud800":[]}}}""")]
    public void Token_whose_text_is_not_Unicode_is_invalid(string header, string claims)
        => Assert.Equal(CredentialsErrorCode.InvalidToken, Assert.Throws<CredentialsException>(() => NatsJwt.DecodeAnyTime($"{Encode(header)}.{Encode(claims)}.{Encode("x")}")).Code);

    [Fact]
    public void Token_whose_bytes_are_not_UTF8_is_invalid()
    {
        byte[] claims = [.. """{"nats":{"type":"user","version":2},"name":"a"""u8, 0xFF, .. "\"}"u8];

        Assert.Equal(CredentialsErrorCode.InvalidToken, Assert.Throws<CredentialsException>(() => NatsJwt.DecodeAnyTime($"{Encode(Header)}.{Base64Url.EncodeToString(claims)}.{Encode("x")}")).Code);
    }

    [Fact]
    public void Unsigned_token_is_refused()
    {
        var token = $"{Encode("""{"typ":"JWT","alg":"none"}""")}.{Encode(UserJson())}.";

        Assert.Equal(CredentialsErrorCode.UnsupportedAlgorithm, Assert.Throws<CredentialsException>(() => NatsJwt.DecodeAnyTime(token)).Code);
    }

    [Fact]
    public void Issuer_must_be_of_a_kind_that_may_issue()
    {
        var byUser = Sign($$"""{"iat":1,"iss":"{{_user.PublicKey}}","sub":"{{_user.PublicKey}}","nats":{"type":"user","version":2} }""", _user);
        var byOperator = Sign($$"""{"iat":1,"iss":"{{_operator.PublicKey}}","sub":"{{_user.PublicKey}}","nats":{"type":"user","version":2} }""", _operator);

        Assert.Equal(CredentialsErrorCode.WrongIssuer, Assert.Throws<CredentialsException>(() => NatsJwt.DecodeAnyTime(byUser)).Code);
        Assert.Equal(CredentialsErrorCode.WrongIssuer, Assert.Throws<CredentialsException>(() => NatsJwt.DecodeAnyTime(byOperator)).Code);
        Assert.Equal(CredentialsErrorCode.WrongIssuer, Assert.Throws<CredentialsException>(() => new UserClaims { Subject = _user.PublicKey }.Encode(_user)).Code);
        Assert.Equal(CredentialsErrorCode.WrongIssuer, Assert.Throws<CredentialsException>(() => new OperatorClaims { Subject = _operator.PublicKey }.Encode(_account)).Code);
    }

    [Theory]
    [InlineData("\"version\":1", CredentialsErrorCode.UnsupportedVersion)]
    [InlineData("\"version\":3", CredentialsErrorCode.UnsupportedVersion)]
    [InlineData("\"version\":\"2\"", CredentialsErrorCode.InvalidToken)]
    [InlineData("\"version\":2,\"subs\":\"many\"", CredentialsErrorCode.InvalidToken)]
    [InlineData("\"version\":2,\"subs\":1.5", CredentialsErrorCode.InvalidToken)]
    [InlineData("\"version\":2,\"pub\":[]", CredentialsErrorCode.InvalidToken)]
    [InlineData("\"version\":2,\"pub\":{\"allow\":[1]}", CredentialsErrorCode.InvalidToken)]
    [InlineData("\"version\":2,\"pub\":{},\"pub\":{\"allow\":[\"a\"]}", CredentialsErrorCode.InvalidToken)]
    [InlineData("\"version\":2,\"bearer_token\":\"true\"", CredentialsErrorCode.InvalidToken)]
    [InlineData("\"version\":2,\"times\":[{\"start\":\"25:00:00\",\"end\":\"01:00:00\"}]", CredentialsErrorCode.InvalidToken)]
    public void Details_of_another_form_are_refused(string details, CredentialsErrorCode code)
        => Assert.Equal(code, Assert.Throws<CredentialsException>(() => NatsJwt.DecodeAnyTime(Sign(UserJson(details), _account))).Code);

    [Fact]
    public void Claims_of_an_unknown_type_or_another_than_asked_for_are_refused()
    {
        var generic = Sign(UserJson().Replace("\"user\"", "\"generic\"", StringComparison.Ordinal), _account);

        Assert.Equal(CredentialsErrorCode.WrongClaimsType, Assert.Throws<CredentialsException>(() => NatsJwt.DecodeAnyTime(generic)).Code);
        Assert.Equal(CredentialsErrorCode.WrongClaimsType, Assert.Throws<CredentialsException>(() => NatsJwt.DecodeAnyTime<AccountClaims>(Sign(UserJson(), _account))).Code);
    }

    [Fact]
    public void Subject_of_another_kind_is_refused()
    {
        var ofAccount = Sign(UserJson().Replace(_user.PublicKey, _account.PublicKey, StringComparison.Ordinal), _account);

        Assert.Equal(CredentialsErrorCode.InvalidClaims, Assert.Throws<CredentialsException>(() => NatsJwt.DecodeAnyTime(ofAccount)).Code);
        Assert.Equal(CredentialsErrorCode.InvalidClaims, Assert.Throws<CredentialsException>(() => new UserClaims { Subject = _account.PublicKey }.Encode(_account)).Code);
    }

    [Fact]
    public void Oversized_token_is_refused_unread_and_not_written()
    {
        var read = Assert.Throws<CredentialsException>(() => NatsJwt.DecodeAnyTime(new string('a', NatsJwt.MaxTokenLength + 1)));
        var written = Assert.Throws<CredentialsException>(() => new UserClaims { Subject = _user.PublicKey, Tags = [new string('a', NatsJwt.MaxTokenLength)] }.Encode(_account));

        Assert.Equal((CredentialsErrorCode.TokenTooLarge, CredentialsErrorCode.TokenTooLarge), (read.Code, written.Code));
    }

    [Theory]
    [InlineData("")]
    [InlineData(".")]
    [InlineData("..")]
    [InlineData("a.b.c.d")]
    [InlineData("e30.e30.e30")]
    [InlineData("eyJ0eXAiOiJKV1QiLCJhbGciOiJlZDI1NTE5LW5rZXkifQ.e30.e30")]
    [InlineData("eyJ0eXAiOiJKV1QiLCJhbGciOiJlZDI1NTE5LW5rZXkifQ==.e30.e30")]
    [InlineData("eyJ0eXAiOiJKV1QiLCJhbGciOiJlZDI1NTE5LW5rZXkifQ .e30.e30")]
    [InlineData("eyJ0eXAiOiJKV1QiLCJhbGciOiJlZDI1NTE5LW5rZXkifQ.W10.e30")]
    public void Text_of_another_form_is_refused(string text) => Assert.Throws<CredentialsException>(() => NatsJwt.DecodeAnyTime(text));

    [Fact]
    public void Random_claims_with_a_valid_signature_are_read_or_refused_and_nothing_else()
    {
        var seed = Seed.Next();
        TestContext.Current.TestOutputHelper?.WriteLine($"POSTRIDER_SEED={seed}");
        var random = new Random(seed);
        var good = Encoding.UTF8.GetBytes(UserJson("\"version\":2,\"pub\":{\"allow\":[\"a.b\"]},\"times\":[{\"start\":\"10:00:00\",\"end\":\"11:00:00\"}],\"resp\":{\"max\":1,\"ttl\":5}"));
        var read = 0;
        for (var i = 0; i < 300; i++)
        {
            var json = good.ToArray();
            for (var changes = random.Next(1, 4); changes > 0; changes--) json[random.Next(json.Length)] = (byte)random.Next(32, 127);
            var token = Sign(Encoding.UTF8.GetString(json), _account);
            try
            {
                NatsJwt.DecodeAnyTime(token);
                read++;
            }
            catch (CredentialsException error)
            {
                Assert.NotEmpty(error.Message);
            }
        }

        Assert.InRange(read, 1, 299);
    }

    private static string Encode(string text) => Base64Url.EncodeToString(Encoding.UTF8.GetBytes(text));

    private static string Sign(string claims, NkeyPair key, string header = Header)
    {
        var signed = $"{Encode(header)}.{Encode(claims)}";
        return $"{signed}.{Base64Url.EncodeToString(key.Sign(Encoding.ASCII.GetBytes(signed)))}";
    }

    private string UserJson(string details = "\"version\":2") => $$"""{"iat":1,"iss":"{{_account.PublicKey}}","sub":"{{_user.PublicKey}}","nats":{"type":"user",{{details}}} }""";
}
