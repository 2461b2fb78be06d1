using System.Text;
using Amazon.Runtime;
using Postrider.Transport.Aws;

namespace Postrider.UnitTests.Transport.Aws;

/// <summary>The vectors of AWS's test suite for Signature Version 4, and the example of its documentation.</summary>
public sealed class SigV4Tests
{
    private static readonly ImmutableCredentials s_credentials = new("AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", null);
    private static readonly DateTimeOffset s_time = new(2015, 8, 30, 12, 36, 0, TimeSpan.Zero);

    public static TheoryData<string, string, string, string[], string, string> Vectors => new()
    {
        { "get-vanilla", "GET", "/", [], "", "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31" },
        { "get-vanilla-query-order-key-case", "GET", "/?Param2=value2&Param1=value1", [], "", "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500" },
        { "get-vanilla-query-order-value", "GET", "/?Param1=value2&Param1=value1", [], "", "5772eed61e12b33fae39ee5e7012498b51d56abc0abb7c60486157bd471c4694" },
        { "get-header-value-trim", "GET", "/", ["My-Header1: value1", "My-Header2:  \"a   b   c\" "], "", "acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736" },
        { "get-header-value-order", "GET", "/", ["My-Header1:value4", "My-Header1:value1", "My-Header1:value3", "My-Header1:value2"], "", "08c7e5a9acfcfeb3ab6b2185e75ce8b1deb5e634ec47601a50643f830c755c01" },
        { "post-vanilla", "POST", "/", [], "", "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b" },
        { "post-vanilla-query", "POST", "/?Param1=value1", [], "", "28038455d6de14eafc1f9222cf5aa6f1a96197d7deb8263271d420d138af7f11" },
        { "post-header-key-case", "POST", "/", [], "", "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b" },
        { "post-header-key-sort", "POST", "/", ["My-Header1:value1"], "", "c5410059b04c1ee005303aed430f6e6645f61f4dc9e1461ec8f8916fdf18852c" },
        { "post-header-value-case", "POST", "/", ["My-Header1:VALUE1"], "", "cdbc9802e29d2942e5e10b5bccfdd67c5f22c7c4e8ae67b53629efa58b974b7d" },
        { "post-x-www-form-urlencoded", "POST", "/", ["Content-Type:application/x-www-form-urlencoded"], "Param1=value1", "ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a" },
        { "post-x-www-form-urlencoded-parameters", "POST", "/", ["Content-Type:application/x-www-form-urlencoded; charset=utf8"], "Param1=value1", "1a72ec8f64bd914b0e42e42607c7fbce7fb2c7465f63e3092b3b0d39fa77a6fe" },
    };

    [Theory]
    [MemberData(nameof(Vectors))]
    public void Vector_of_the_test_suite_has_its_signature(string name, string method, string target, string[] headers, string body, string signature)
    {
        List<(string, string)> all = [("Host", "example.amazonaws.com"), .. headers.Select(static header => (header.Split(':', 2)[0], header.Split(':', 2)[1])), ("X-Amz-Date", SigV4.Format(s_time))];

        var authorization = SigV4.Authorization(method, new Uri($"https://example.amazonaws.com{target}"), all, Encoding.UTF8.GetBytes(body), ("us-east-1", "service"), s_credentials, s_time);

        Assert.True(authorization.EndsWith($"Signature={signature}", StringComparison.Ordinal), $"{name}: {authorization}");
        Assert.StartsWith("AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=", authorization, StringComparison.Ordinal);
    }

    [Fact]
    public void Example_of_the_documentation_has_its_signature()
    {
        (string, string)[] headers = [("content-type", "application/x-www-form-urlencoded; charset=utf-8"), ("host", "iam.amazonaws.com"), ("x-amz-date", "20150830T123600Z")];

        var authorization = SigV4.Authorization("GET", new Uri("https://iam.amazonaws.com/?Action=ListUsers&Version=2010-05-08"), headers, [], ("us-east-1", "iam"), s_credentials, s_time);

        Assert.Equal("AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/iam/aws4_request, SignedHeaders=content-type;host;x-amz-date, Signature=5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7", authorization);
    }
}
