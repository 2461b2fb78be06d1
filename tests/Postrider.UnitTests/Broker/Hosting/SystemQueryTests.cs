using System.Text;
using Postrider.Broker.Hosting;

namespace Postrider.UnitTests.Broker.Hosting;

/// <summary>Options of requests to the server's services: what is wrong with them is the requester's mistake, and is answered.</summary>
public sealed class SystemQueryTests
{
    [Theory]
    [InlineData("{", "The options are not valid JSON")]
    [InlineData("[]", "The options must be a JSON object.")]
    [InlineData("""{"\ud800":1}""", "The name of an option is not valid Unicode.")]
    [InlineData("""{"sort":"\ud800"}""", "sort is not valid Unicode.")]
    [InlineData("""{"sort":1}""", "sort must be a string.")]
    [InlineData("""{"tags":["a","\udc00"]}""", "tags is not valid Unicode.")]
    [InlineData("""{"tags":"a"}""", "tags must be an array of strings.")]
    public void Option_that_is_wrong_is_named(string options, string words)
    {
        var refused = Assert.Throws<FormatException>(() =>
        {
            var query = SystemQuery.Parse(Encoding.UTF8.GetBytes(options));
            return (query.Text("sort"), query.Texts("tags"));
        });

        Assert.Contains(words, refused.Message, StringComparison.Ordinal);
    }
}
