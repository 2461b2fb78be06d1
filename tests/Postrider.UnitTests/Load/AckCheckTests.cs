using System.Text;
using Postrider.Load;
using Postrider.Load.Traffic;

namespace Postrider.UnitTests.Load;

public class AckCheckTests
{
    private readonly AckCheck _check = new("S");

    [Theory]
    [InlineData("{\"stream\":\"S\",\"seq\":{0}}")]
    [InlineData("{\"stream\":\"S\", \"seq\":{0}}")]
    [InlineData("{\"stream\":\"S\",\"domain\":\"1\",\"seq\":{0}}")]
    public void Sequences_are_read_as_the_first_acknowledgement_shows(string form)
    {
        foreach (var sequence in new[] { 1L, 2, 10, 1234567890123 })
            Assert.Equal(sequence, _check.Read(Encoding.UTF8.GetBytes(form.Replace("{0}", $"{sequence}"))));
    }

    [Theory]
    [InlineData("{\"stream\":\"S\",\"seq\":2,\"duplicate\": true}")]
    [InlineData("{\"error\":{\"code\":503},\"stream\":\"S\",\"seq\":0}")]
    [InlineData("{\"stream\":\"T\",\"seq\":2}")]
    [InlineData("{\"stream\":\"S\",\"seq\":2")]
    [InlineData("")]
    public void Anything_but_a_new_message_is_refused(string answer)
    {
        Assert.Equal(1, _check.Read("{\"stream\":\"S\",\"seq\":1}"u8));

        Assert.Throws<LoadException>(() => _check.Read(Encoding.UTF8.GetBytes(answer)));
    }

    [Theory]
    [InlineData("{\"error\":{\"code\":503},\"stream\":\"S\",\"seq\":0}")]
    [InlineData("{\"stream\":\"T\",\"seq\":2}")]
    [InlineData("")]
    public void First_answer_is_refused_too(string answer)
        => Assert.Throws<LoadException>(() => _check.Read(Encoding.UTF8.GetBytes(answer)));
}
