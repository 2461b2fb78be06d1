using Postrider.Broker.Trust;
using Postrider.Credentials;

namespace Postrider.UnitTests.Broker.Trust;

public sealed class PermissionTemplateTests
{
    private static readonly UserClaims User = new() { Subject = "UKEY", Name = "clerk", Tags = ["region:east", "region:west", "shop:1", "bad:a b"] };
    private static readonly AccountClaims Account = new() { Subject = "AKEY", Name = "orders", Tags = ["plan:gold"] };

    [Theory]
    [InlineData("plain.>", "plain.>")]
    [InlineData("a.{{name()}}", "a.clerk")]
    [InlineData("a.{{ Name() }}.b", "a.clerk.b")]
    [InlineData("{{subject()}}.{{account-subject()}}.{{account-name()}}", "UKEY.AKEY.orders")]
    [InlineData("a.{{tag(region)}}", "a.east|a.west")]
    [InlineData("{{tag(region)}}.{{TAG(shop)}}.{{account-tag(plan)}}", "east.1.gold|west.1.gold")]
    [InlineData("{{tag(region)}}.{{tag(region)}}", "east.east|east.west|west.east|west.west")]
    public void Placeholders_become_the_users_values(string entry, string expected)
    {
        var expanded = Expand(new SubjectAccess { Allow = [entry] });

        Assert.Equal(expected.Split('|'), expanded.Allow);
        Assert.Empty(expanded.Deny);
    }

    [Theory]
    [InlineData("a.{{tag(none)}}")]
    [InlineData("a.{{tag(bad)}}.b c")]
    [InlineData("{{account-tag(none)}}")]
    public void When_nothing_is_left_of_what_was_allowed_everything_is_denied(string entry)
    {
        var expanded = Expand(new SubjectAccess { Allow = [entry], Deny = ["x"] });

        Assert.Empty(expanded.Allow);
        Assert.Equal(["x", ">"], expanded.Deny);
    }

    [Fact]
    public void What_is_left_out_leaves_the_others()
        => Assert.Equal(["open"], Expand(new SubjectAccess { Allow = ["a.{{tag(none)}}", "open"] }).Allow);

    [Theory]
    [InlineData("a.{{tag(none)}}", "\"none\" is not defined")]
    [InlineData("a..{{name()}}", "generated invalid subject")]
    public void Denied_subject_that_cannot_be_made_refuses_the_user(string entry, string reason)
        => Assert.Contains(reason, Assert.Throws<UserTokenException>(() => Expand(new SubjectAccess { Deny = [entry] })).Message, StringComparison.Ordinal);

    [Theory]
    [InlineData("{{unknown()}}")]
    [InlineData("{{tag(x}}")]
    [InlineData("{{name}}")]
    public void Unknown_operation_refuses_the_user(string entry)
        => Assert.Contains("is not defined", Assert.Throws<UserTokenException>(() => Expand(new SubjectAccess { Allow = [entry] })).Message, StringComparison.Ordinal);

    [Fact]
    public void Too_many_combinations_refuse_the_user_soon()
    {
        var many = User with { Tags = [.. Enumerable.Range(0, 100).Select(static i => $"n:{i}")] };

        var refused = Assert.Throws<UserTokenException>(() => PermissionTemplate.Expand(
            new ClaimPermissions { Publish = new SubjectAccess { Allow = ["{{tag(n)}}.{{tag(n)}}.{{tag(n)}}.{{tag(n)}}.{{tag(n)}}"] } }, many, Account));

        Assert.Contains("exceeds limit: 4096", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Name_with_a_wildcard_is_the_users_own()
        => Assert.Equal(["a.>"], PermissionTemplate.Expand(new ClaimPermissions { Subscribe = new SubjectAccess { Allow = ["a.{{name()}}"] } }, User with { Name = ">" }, Account).Subscribe.Allow);

    private static SubjectAccess Expand(SubjectAccess template) => PermissionTemplate.Expand(new ClaimPermissions { Publish = template }, User, Account).Publish;
}
