using System.Text;
using Postrider.Broker.Accounts;

namespace Postrider.UnitTests.Broker.Accounts;

public sealed class StoredCredentialTests
{
    private static readonly string SeventyTwo = new('x', 72);

    public static TheoryData<string, string> KnownHashes => new()
    {
        { "secret", "$2b$04$abcdefghijklmnopqrstuu2r9OfJnfCsdneAXAGHnS4UpFFP8WIrW" },
        { "secret", "$2a$04$abcdefghijklmnopqrstuu2r9OfJnfCsdneAXAGHnS4UpFFP8WIrW" },
        { SeventyTwo, "$2b$04$abcdefghijklmnopqrstuubzadhGtS2zEF.gu0yd0opP6cVzb.e0i" },
        { SeventyTwo + "12345678", "$2b$04$abcdefghijklmnopqrstuubzadhGtS2zEF.gu0yd0opP6cVzb.e0i" },
        { "pässwörd", "$2y$05$......................dFRVryNs/siTXJsZ3jz36vINcaQzIEq" },
        { "abc", "$2a$06$If6bvum7DFjUnE9p2uDeDu0YHzrHM6tf.iqN8.yx.jNN1ILEf7h0i" },
        { "", "$2a$06$DCq7YPn5Rq63x1Lad4cll.TV4S6ytwfsfvkgY8jIucDrjc8deX1s." },
    };

    [Theory]
    [MemberData(nameof(KnownHashes))]
    public void Password_of_a_known_hash_matches(string password, string hash)
        => Assert.True(new StoredCredential(hash).Matches(Encoding.UTF8.GetBytes(password)));

    [Theory]
    [MemberData(nameof(KnownHashes))]
    public void Other_password_does_not_match_the_hash(string password, string hash)
        => Assert.False(new StoredCredential(hash).Matches(Encoding.UTF8.GetBytes("not" + password)));

    [Theory]
    [InlineData("$2a$")]
    [InlineData("$2a$06$short")]
    [InlineData("$2a$03$If6bvum7DFjUnE9p2uDeDu0YHzrHM6tf.iqN8.yx.jNN1ILEf7h0i")]
    [InlineData("$2a$32$If6bvum7DFjUnE9p2uDeDu0YHzrHM6tf.iqN8.yx.jNN1ILEf7h0i")]
    [InlineData("$2a$+6$If6bvum7DFjUnE9p2uDeDu0YHzrHM6tf.iqN8.yx.jNN1ILEf7h0i")]
    [InlineData("$2a$06xIf6bvum7DFjUnE9p2uDeDu0YHzrHM6tf.iqN8.yx.jNN1ILEf7h0i")]
    [InlineData("$2a$06$If6bvum7DFjUnE9p2uDeDu0YHzrHM6tf.iqN8.yx.jNN1ILEf7h0iX")]
    [InlineData("$2a$06$If6bvum7DFjUnE9p2uDeDu0YHzrHM6tf!iqN8.yx.jNN1ILEf7h0i")]
    public void Malformed_hash_matches_nothing_not_even_itself(string hash)
    {
        var secret = new StoredCredential(hash);

        Assert.False(secret.Matches(Encoding.UTF8.GetBytes(hash)));
        Assert.False(secret.Matches("abc"u8));
    }

    [Fact]
    public void Password_that_is_not_utf8_matches_no_hash()
        => Assert.False(new StoredCredential("$2a$06$DCq7YPn5Rq63x1Lad4cll.TV4S6ytwfsfvkgY8jIucDrjc8deX1s.").Matches([0xff]));

    [Fact]
    public void Clear_password_matches_itself_only()
    {
        var secret = new StoredCredential("s3cr3t");

        Assert.False(secret.UsesPasswordHash);
        Assert.True(secret.Matches("s3cr3t"u8));
        Assert.False(secret.Matches("s3cr3T"u8));
        Assert.False(secret.Matches(""u8));
    }
}
