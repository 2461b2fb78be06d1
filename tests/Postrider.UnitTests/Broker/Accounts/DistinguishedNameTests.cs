using System.Security.Cryptography.X509Certificates;
using Postrider.Broker.Accounts;

namespace Postrider.UnitTests.Broker.Accounts;

public sealed class DistinguishedNameTests
{
    [Theory]
    [InlineData("CN=joe, OU=dev, O=Example", "CN=joe,OU=dev,O=Example")]
    [InlineData("CN=joe, OU=dev, O=Example", "cn=joe, ou=dev , o=Example")]
    [InlineData("CN=joe, DC=example, DC=com", "CN=joe,DC=example,DC=com")]
    [InlineData("CN=\"a, b\", O=Example", "CN=a\\, b,O=Example")]
    [InlineData("CN=\"a, b\", O=Example", "CN=a\\2C b,O=Example")]
    [InlineData("CN=größe", "CN=größe")]
    public void Same_name_matches(string subject, string written)
        => Assert.True(DistinguishedName.TryParse(written)!.Matches(Of(subject)));

    [Theory]
    [InlineData("CN=joe, OU=dev, O=Example", "O=Example,OU=dev,CN=joe")]
    [InlineData("CN=joe, DC=example, DC=com", "DC=com,DC=example,CN=joe")]
    public void Same_parts_in_another_order_match_as_reordered_alone(string subject, string written)
    {
        var name = DistinguishedName.TryParse(written)!;

        Assert.False(name.Matches(Of(subject)));
        Assert.True(name.MatchesReordered(Of(subject)));
    }

    [Theory]
    [InlineData("CN=joe, OU=dev", "CN=joe")]
    [InlineData("CN=joe", "CN=joe,OU=dev")]
    [InlineData("CN=joe, OU=dev", "CN=Joe,OU=dev")]
    [InlineData("CN=joe, OU=dev", "CN=joe,OU=ops")]
    [InlineData("CN=joe, OU=dev", "OU=joe,CN=dev")]
    [InlineData("CN=joe, OU=a, OU=a", "CN=joe,OU=a,OU=b")]
    public void Another_name_does_not_match(string subject, string written)
    {
        var name = DistinguishedName.TryParse(written)!;

        Assert.False(name.Matches(Of(subject)));
        Assert.False(name.MatchesReordered(Of(subject)));
    }

    [Theory]
    [InlineData("joe")]
    [InlineData("=joe")]
    [InlineData("CN=joe,dev")]
    [InlineData("CN=#0403")]
    [InlineData("CN=a\\")]
    [InlineData("CN=a\\zz")]
    public void What_is_no_name_is_refused(string written) => Assert.Null(DistinguishedName.TryParse(written));

    [Fact]
    public void Attribute_without_a_known_name_makes_the_subject_unusable()
        => Assert.Null(DistinguishedName.Of(new X500DistinguishedName("E=joe@example.com, CN=joe")));

    [Theory]
    [InlineData("C=DE, O=Example, OU=dev, CN=joe", "CN=joe,OU=dev,O=Example,C=DE")]
    [InlineData("CN=joe, OU=a, OU=b, O=Example", "CN=joe,OU=b+OU=a,O=Example")]
    [InlineData("CN=joe, DC=example, DC=com", "CN=joe")]
    [InlineData("CN=\" a,b\"", "CN=\\ a\\,b")]
    public void Subject_is_written_as_nats_server_writes_it(string subject, string written)
        => Assert.Equal(written, DistinguishedName.Write(new X500DistinguishedName(subject)));

    [Fact]
    public void Domain_is_written_in_the_order_of_the_certificate()
        => Assert.Equal("DC=com,DC=example", DistinguishedName.WriteDomain(new X500DistinguishedName("CN=joe, DC=example, DC=com")));

    private static DistinguishedName Of(string subject) => DistinguishedName.Of(new X500DistinguishedName(subject))!;
}
