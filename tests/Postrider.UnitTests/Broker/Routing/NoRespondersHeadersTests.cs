using System.Text;
using Postrider.Broker.Routing;

namespace Postrider.UnitTests.Broker.Routing;

public sealed class NoRespondersHeadersTests
{
    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(NoRespondersHeaders.UsualBytes - 32)]
    [InlineData(NoRespondersHeaders.UsualBytes)]
    [InlineData(4_000)]
    public void Block_names_the_subject_whatever_its_length(int length)
    {
        var subject = new string('s', length);

        using var headers = new NoRespondersHeaders(Encoding.UTF8.GetBytes(subject), stackalloc byte[NoRespondersHeaders.UsualBytes]);

        Assert.Equal($"NATS/1.0 503\r\nNats-Subject: {subject}\r\n\r\n", Encoding.UTF8.GetString(headers.Bytes));
    }
}
