using System.Text;
using Microsoft.Extensions.Logging;
using Postrider.Broker.Sessions;

namespace Postrider.UnitTests.Broker.Sessions;

public sealed class ProtocolTraceTests
{
    public static TheoryData<string, string> Lines => new()
    {
        { """CONNECT {"user":"ann","pass":"s3cret"}""", """CONNECT {"user":"ann","pass":"[REDACTED]"}""" },
        { """CONNECT {"auth_token":"s3cret"}""", """CONNECT {"auth_token":"[REDACTED]"}""" },
        { """CONNECT {"jwt":"s3cret","sig":"s3cret"}""", """CONNECT {"jwt":"[REDACTED]","sig":"[REDACTED]"}""" },
        { """CONNECT {"nkey":"s3cret","proxy_sig":"s3cret"}""", """CONNECT {"nkey":"[REDACTED]","proxy_sig":"[REDACTED]"}""" },
        { """CONNECT {"password":"s3cret"}""", """CONNECT {"password":"[REDACTED]"}""" },
        { """CONNECT { "pass" : "s3cret" , "name" : "n" }""", """CONNECT { "pass" : "[REDACTED]" , "name" : "n" }""" },
        { "CONNECT {\"pass\"\t:\t\"s3cret\"}", "CONNECT {\"pass\"\t:\t\"[REDACTED]\"}" },
        { """connect {"PASS":"s3cret","Jwt":"s3cret"}""", """connect {"PASS":"[REDACTED]","Jwt":"[REDACTED]"}""" },
        { """CONNECT {"pass":"s3cret","pass":"s3cret"}""", """CONNECT {"pass":"[REDACTED]","pass":"[REDACTED]"}""" },
        { """CONNECT {"pass":"a\"s3cret","name":"n"}""", """CONNECT {"pass":"[REDACTED]","name":"n"}""" },
        { """CONNECT {"pass":"s3cret\\","name":"n"}""", """CONNECT {"pass":"[REDACTED]","name":"n"}""" },
        { """CONNECT {"pass":"s3cret:s3cret=s3cret, {}","name":"n"}""", """CONNECT {"pass":"[REDACTED]","name":"n"}""" },
        { """CONNECT {"p\u0061ss":"s3cret"}""", """CONNECT {"p\u0061ss":"[REDACTED]"}""" },
        { """CONNECT {"inner":{"pass":"s3cret"},"list":[{"jwt":"s3cret"}]}""", """CONNECT {"inner":{"pass":"[REDACTED]"},"list":[{"jwt":"[REDACTED]"}]}""" },
        { """CONNECT {"name":"{\"pass\":\"s3cret\"}","lang":"x"}""", """CONNECT {"name":"{\"pass\":\"[REDACTED]\"}","lang":"x"}""" },
        { """CONNECT {"pass":5375,"name":"n"}""", """CONNECT {"pass":[REDACTED],"name":"n"}""" },
        { """CONNECT {"pass":["s3cret"],"name":"n"}""", """CONNECT {"pass":[REDACTED]""" },
        { """CONNECT {"pass":{"a":"s3cret"}}""", """CONNECT {"pass":[REDACTED]""" },
        { """CONNECT {"pass":"s3cret""", """CONNECT {"pass":"[REDACTED]""" },
        { """CONNECT {"user:"ann","pass":"s3cret"}""", """CONNECT {"user:"ann","pass":"[REDACTED]"}""" },
        { "CONNECT {user: ann, pass: s3cret}", "CONNECT {user: ann, pass: [REDACTED]}" },
        { "CONNECT pass=s3cret", "CONNECT pass=[REDACTED]" },
        { """CONNECT {"pass":""", """CONNECT {"pass":""" },
        { """CONNECT {"pass""", """CONNECT {"pass""" },
        { """CONNECT {"name":"passes","bypass":"open","signature":"shown","url":"nats://a:1"}""", """CONNECT {"name":"passes","bypass":"open","signature":"shown","url":"nats://a:1"}""" },
        { "PUB pass:word 5", "PUB pass:word 5" },
        { "PING", "PING" },
    };

    [Theory]
    [MemberData(nameof(Lines))]
    public void Secrets_are_not_logged_however_they_are_written(string line, string logged)
    {
        var log = new TraceLog();
        var trace = new ProtocolTrace(log, 0);

        trace.In("cid:1", Encoding.UTF8.GetBytes(line + "\r\n"));
        trace.Out("cid:1", Encoding.UTF8.GetBytes(line + "\r\n"));

        Assert.Equal([$"cid:1 - <<- [{logged}]", $"cid:1 - ->> [{logged}]"], log.Written);
        Assert.DoesNotContain("s3cret", logged, StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Lines))]
    public void Line_cut_at_any_byte_shows_nothing_of_a_secret(string line, string logged)
    {
        var log = new TraceLog();
        var trace = new ProtocolTrace(log, 0);

        for (var length = 0; length <= line.Length; length++) trace.In("cid:1", Encoding.UTF8.GetBytes(line[..length]));

        Assert.DoesNotContain(log.Written, static text => text.Contains("s3c", StringComparison.Ordinal));
        Assert.Equal($"cid:1 - <<- [{logged}]", log.Written[^1]);
    }

    private sealed class TraceLog : ILogger
    {
        public List<string> Written { get; } = [];

        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull
            => null;

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
            => Written.Add(formatter(state, exception));
    }
}
