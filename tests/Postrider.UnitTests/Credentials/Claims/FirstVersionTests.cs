using System.Buffers.Text;
using System.Text;
using Postrider.Credentials;

namespace Postrider.UnitTests.Credentials.Claims;

/// <summary>Tokens of version 1, which tools before 2020 made: the header is not signed, the type is beside the details.</summary>
public sealed class FirstVersionTests : IDisposable
{
    private const string Header = """{"typ":"jwt","alg":"ed25519"}""";

    private readonly NkeyPair _operator = NkeyPair.Create(NkeyKind.Operator);
    private readonly NkeyPair _account = NkeyPair.Create(NkeyKind.Account);
    private readonly NkeyPair _signer = NkeyPair.Create(NkeyKind.Account);
    private readonly NkeyPair _user = NkeyPair.Create(NkeyKind.User);

    public void Dispose()
    {
        _operator.Dispose();
        _account.Dispose();
        _signer.Dispose();
        _user.Dispose();
    }

    [Fact]
    public void Operator_of_Gos_tools_is_read_and_verified()
    {
        var authority = NatsJwt.DecodeAnyTime<OperatorClaims>(GoTokens.OfVersion1);

        Assert.Equal("Synadia Communications Inc.", authority.Name);
        Assert.Equal("TESTS", authority.Audience);
        Assert.Equal(3, authority.SigningKeys.Count);
        Assert.True(authority.Trusts(authority.SigningKeys[0]));
    }

    [Fact]
    public void Account_keeps_its_limits_and_has_no_streams()
    {
        var token = Sign("account", _account, _operator, """{"limits":{"subs":-1,"conn":7,"imports":-1,"exports":-1,"data":-1,"payload":1024,"wildcards":true,"mem_storage":5},"signing_keys":["S"]}""".Replace("\"S\"", $"\"{_signer.PublicKey}\"", StringComparison.Ordinal));

        var account = NatsJwt.Decode<AccountClaims>(token);

        Assert.Equal((null, 7, 1024), (account.Limits.MaxSubscriptions, account.Limits.MaxConnections, account.Limits.MaxPayload));
        Assert.Null(account.Limits.JetStream);
        Assert.NotNull(account.FindSigner(_signer.PublicKey));
    }

    [Fact]
    public void User_keeps_permissions_account_and_tags_and_has_no_limit_that_was_not_written()
    {
        var token = Sign("user", _user, _signer, """{"pub":{"allow":["a.>"]},"sub":{"deny":["b"]},"src":"192.0.2.0/24,198.51.100.0/24","bearer_token":true}""", $"\"issuer_account\":\"{_account.PublicKey}\",\"tags\":[\"x\"],");

        var user = NatsJwt.Decode<UserClaims>(token);

        Assert.Equal(_account.PublicKey, user.Account);
        Assert.Equal(["x"], user.Tags);
        Assert.Equal(["a.>"], user.Settings!.Permissions.Publish.Allow);
        Assert.Equal(["b"], user.Settings.Permissions.Subscribe.Deny);
        Assert.Equal(["192.0.2.0/24", "198.51.100.0/24"], user.Settings.Sources);
        Assert.True(user.Settings.IsBearer);
        Assert.Equal((null, null, null), (user.Settings.MaxSubscriptions, user.Settings.MaxData, user.Settings.MaxPayload));
    }

    [Fact]
    public void User_without_settings_has_no_scope_to_take_them_from()
        => Assert.NotNull(NatsJwt.Decode<UserClaims>(Sign("user", _user, _account, """{"pub":{},"sub":{}}""")).Settings);

    [Fact]
    public void Activation_names_what_is_imported_by_its_type()
    {
        var activation = NatsJwt.Decode<ActivationClaims>(Sign("activation", _user, _account, """{"subject":"orders.*","type":"service"}""", subject: _signer.PublicKey));

        Assert.Equal(("orders.*", ExportKind.Service), (activation.ImportSubject, activation.Kind));
    }

    [Fact]
    public void Number_of_messages_of_a_user_is_refused()
    {
        var token = Sign("user", _user, _account, """{"max":10}""");

        var error = Assert.Throws<CredentialsException>(() => NatsJwt.Decode(token));

        Assert.Equal(CredentialsErrorCode.InvalidClaims, error.Code);
        Assert.Contains("10 messages", error.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("authorization_request")]
    [InlineData("authorization_response")]
    public void Types_of_version_2_do_not_exist(string type)
        => Assert.Equal(CredentialsErrorCode.WrongClaimsType, Assert.Throws<CredentialsException>(() => NatsJwt.DecodeAnyTime(Sign(type, _user, _account, "{}"))).Code);

    [Fact]
    public void Changed_claims_are_refused()
    {
        var token = Sign("user", _user, _account, "{}").Split('.');
        var changed = Encoding.UTF8.GetString(Base64Url.DecodeFromChars(token[1])).Replace("\"name\":\"n\"", "\"name\":\"m\"", StringComparison.Ordinal);

        var error = Assert.Throws<CredentialsException>(() => NatsJwt.DecodeAnyTime($"{token[0]}.{Encode(changed)}.{token[2]}"));

        Assert.Equal(CredentialsErrorCode.InvalidSignature, error.Code);
    }

    [Fact]
    public void Token_of_version_2_with_a_type_of_version_1_beside_its_details_is_refused()
    {
        // The signature covers the header as in version 2, so that it does not fit what version 1 signs.
        var claims = Encode(Claims("user", _user.PublicKey, _account, """{"type":"user","version":2}""", ""));
        var signed = $"{Encode("""{"typ":"JWT","alg":"ed25519-nkey"}""")}.{claims}";

        var error = Assert.Throws<CredentialsException>(() => NatsJwt.DecodeAnyTime($"{signed}.{Base64Url.EncodeToString(_account.Sign(Encoding.ASCII.GetBytes(signed)))}"));

        Assert.Equal(CredentialsErrorCode.InvalidSignature, error.Code);
    }

    private static string Claims(string type, string subject, NkeyPair issuer, string details, string members)
        => $$"""{"jti":"I","iat":1542217757,"iss":"{{issuer.PublicKey}}","name":"n","sub":"{{subject}}","type":"{{type}}",{{members}}"nats":{{details}}}""";

    private static string Sign(string type, NkeyPair about, NkeyPair issuer, string details, string members = "", string? subject = null)
    {
        var claims = Encode(Claims(type, subject ?? about.PublicKey, issuer, details, members));
        return $"{Encode(Header)}.{claims}.{Base64Url.EncodeToString(issuer.Sign(Encoding.ASCII.GetBytes(claims)))}";
    }

    private static string Encode(string json) => Base64Url.EncodeToString(Encoding.UTF8.GetBytes(json));
}
