using Postrider.Broker;
using Postrider.Sockets;

namespace Postrider.UnitTests.Broker.Configuration;

public sealed class ServerCommandLineTests
{
    public static TheoryData<string, Func<BrokerOptions, object?>, object?> Flags => new()
    {
        { "", o => (o.Host, o.Port, o.Monitoring.Port), ("0.0.0.0", 4222, 0) },
        { "-p 4333", o => o.Port, 4333 },
        { "-p=4333", o => o.Port, 4333 },
        { "--p 4333", o => o.Port, 4333 },
        { "--port=-1", o => o.Port, -1 },
        { "-port -1", o => o.Port, -1 },
        { "-p 0", o => o.Port, 4222 },
        { "-p 0x10", o => o.Port, 16 },
        { "-p 1 -p 2", o => o.Port, 2 },
        { "-a 127.0.0.1", o => o.Host, "127.0.0.1" },
        { "--addr 127.0.0.1", o => o.Host, "127.0.0.1" },
        { "--net=127.0.0.1", o => o.Host, "127.0.0.1" },
        { "-n s1", o => o.ServerName, "s1" },
        { "--name s1", o => o.ServerName, "s1" },
        { "-server_name s1", o => o.ServerName, "s1" },
        { "-P a.pid", o => o.PidFile, "a.pid" },
        { "--pid a.pid", o => o.PidFile, "a.pid" },
        { "-m 8222", o => o.Monitoring.Port, 8222 },
        { "--http_port -1", o => o.Monitoring.Port, -1 },
        { "--client_advertise x:1", o => o.ClientAdvertise, "x:1" },
        { "--ports_file_dir /tmp", o => o.PortsFileDirectory, "/tmp" },
        { "--engine sockets", o => o.Engine, EngineKind.Sockets },
        { "-l a.log", o => o.Logging.File, "a.log" },
        { "--log a.log", o => o.Logging.File, "a.log" },
        { "-T=false", o => o.Logging.Time, false },
        { "--logtime=0 --logtime_utc", o => (o.Logging.Time, o.Logging.TimeInUtc), (false, true) },
        { "-D", o => (o.Logging.Debug, o.Logging.Trace), (true, false) },
        { "--debug --trace", o => (o.Logging.Debug, o.Logging.Trace), (true, true) },
        { "-V", o => (o.Logging.Debug, o.Logging.Trace), (false, true) },
        { "-DV", o => (o.Logging.Debug, o.Logging.Trace, o.Logging.TraceVerbose), (true, true, false) },
        { "-DVV", o => (o.Logging.Debug, o.Logging.Trace, o.Logging.TraceVerbose), (true, true, true) },
        { "-VV", o => (o.Logging.Debug, o.Logging.Trace, o.Logging.TraceVerbose), (false, true, true) },
        { "--log_size_limit 100 --max_traced_msg_len 5", o => (o.Logging.FileSizeLimitBytes, o.Logging.MaxTracedMessageLength), (100L, 5) },
        { "--user a --pass b", o => (o.Authorization!.User, o.Authorization.Password), ("a", "b") },
        { "-auth t", o => o.Authorization!.Token, "t" },
        { "-cluster_name c -cluster nats://u:p@127.0.0.1:6223 -routes nats-route://a:1,nats-route://b:2 -no_advertise -connect_retries 3 -cluster_advertise h:9",
            o => (o.Cluster!.Name, o.Cluster.Host, o.Cluster.Port, o.Cluster.User, o.Cluster.Password, string.Join(' ', o.Cluster.Routes), o.Cluster.NoAdvertise),
            ("c", "127.0.0.1", 6223, "u", "p", "nats-route://a:1 nats-route://b:2", true) },
        { "-cluster nats://127.0.0.1:-1", o => (o.Cluster!.Host, o.Cluster.Port), ("127.0.0.1", -1) },
        { "-cluster_name alone", o => o.Cluster, null },
        { "-js=false -tls=false -ms 0 -cluster=", o => (o.Port, o.JetStream), (4222, (JetStreamOptions?)null) },
        { "-js -sd /data", o => (o.JetStream!.Enabled, o.JetStream.StoreDirectory), (true, "/data") },
        { "--jetstream", o => (o.JetStream!.Enabled, o.JetStream.StoreDirectory), (true, (string?)null) },
        { "--store_dir=/data", o => (o.JetStream!.Enabled, o.JetStream.StoreDirectory), (false, "/data") },
        { "-p 5 --", o => o.Port, 5 },
        { "-c x.conf", o => (o.Port, o.Logging.Debug, o.ServerName, o.ConfigurationFile), (4999, true, "from_file", "x.conf") },
        { "-config x.conf -p 5 -D=false", o => (o.Port, o.Logging.Debug, o.ServerName), (5, false, "from_file") },
        { "-p 5 -c=x.conf", o => o.Port, 5 },
    };

    public static TheoryData<string, string> Refused => new()
    {
        { "-foo", "flag provided but not defined: -foo" },
        { "--foo=1", "flag provided but not defined: -foo" },
        { "--prot 1", "flag provided but not defined: -prot. Did you mean -port?" },
        { "-jetstraem", "flag provided but not defined: -jetstraem. Did you mean -jetstream?" },
        { "---p 1", "bad flag syntax: ---p" },
        { "-=1", "bad flag syntax: -=1" },
        { "-p", "flag needs an argument: -p" },
        { "-p abc", "invalid value \"abc\" for flag -p: parse error" },
        { "-p 70000", "port 70000 is not a port" },
        { "-D=x", "invalid boolean value \"x\" for -D: parse error" },
        { "xyz", "unrecognized command: \"xyz\"" },
        { "-D true", "unrecognized command: \"true\"" },
        { "-t", "must specify [-c, --config] option to check configuration file syntax" },
        { "-cluster a:b", "cluster address \"a:b\" is not an address such as \"nats://0.0.0.0:6222\"" },
        { "--routes a,b", "solicited routes require cluster capabilities, e.g. --cluster" },
        { "--tls", "TLS Server certificate must be present and valid" },
        { "--tlscert a", "TLS Server private key must be present and valid" },
        { "--tls --tlscert gone.pem --tlskey gone.key", "error parsing X509 certificate/key pair: open gone.pem: no such file or directory" },
        { "-ms 8443", "TLS cert and key required for HTTPS" },
        { "-c gone.conf", "open gone.conf: no such file or directory" },
        { "-t -c warns.conf", "warns.conf:1:1: invalid use of field \"ping_interval\": ping_interval should be converted to a duration" },
        { "--user a --auth t", "Cannot have a user/pass and token" },
        { "--engine fast", "invalid value \"fast\" for flag -engine: parse error" },
    };

    [Theory]
    [MemberData(nameof(Flags))]
    public void Flag_sets_its_option(string line, Func<BrokerOptions, object?> read, object? expected)
    {
        var command = Parse(line);

        Assert.Equal(ServerAction.Run, command.Action);
        Assert.Equal(expected, read(command.Options));
    }

    [Theory]
    [MemberData(nameof(Refused))]
    public void Bad_command_line_is_refused_with_its_reason(string line, string reason)
        => Assert.Equal(reason, Assert.Throws<BrokerException>(() => Parse(line)).Message);

    [Theory]
    [InlineData("-v", ServerAction.ShowVersion)]
    [InlineData("--version -p 5", ServerAction.ShowVersion)]
    [InlineData("version", ServerAction.ShowVersion)]
    [InlineData("-h", ServerAction.ShowHelp)]
    [InlineData("-help", ServerAction.ShowHelp)]
    [InlineData("help", ServerAction.ShowHelp)]
    [InlineData("-t -c x.conf", ServerAction.CheckConfiguration)]
    [InlineData("-sl stop=5", ServerAction.SendSignal)]
    public void Action_is_recognised(string line, ServerAction action)
        => Assert.Equal(action, Parse(line).Action);

    [Fact]
    public void Signal_keeps_its_process() => Assert.Equal("ldm=/run/a.pid", Parse("--signal=ldm=/run/a.pid").Signal);

    [Fact]
    public void Warnings_of_the_file_do_not_stop_the_server()
        => Assert.Single(Parse("-c warns.conf").Warnings);

    [Fact]
    public void Check_warns_of_an_account_with_JetStream_on_a_server_without_it()
        => Assert.Equal(
            "JetStream is enabled for the account APP, but not on this server: add jetstream {} at the top level of the configuration, or start the server with -js.",
            Assert.Single(Parse("-t -c jetless.conf").Warnings));

    [Fact]
    public void Check_warns_of_credentials_of_a_remote_that_cannot_be_read()
        => Assert.Equal(
            "The credentials of the leafnode remote hub:7422, b:1 cannot be used: Could not find file '/nonexistent.creds'. The file is read again at each connect.",
            Assert.Single(Parse("-t -c leaf.conf").Warnings));

    private static ServerCommandLine Parse(string line)
    {
        var source = new MemoryConfigSource
        {
            Files =
            {
                ["x.conf"] = "port: 4999\ndebug: true\nserver_name: from_file",
                ["warns.conf"] = "ping_interval: 5",
                ["leaf.conf"] = "leafnodes { remotes [ { urls: [\"nats-leaf://u:p@hub\", \"tls://b:1\"], credentials: \"/nonexistent.creds\" }, { url: \"nats-leaf://c\", credentials: \"/none\", disabled: true } ] }",
                ["jetless.conf"] = "accounts { APP { jetstream: enabled, users: [{ user: a, password: a }] } }",
            },
        };
        return ServerCommandLine.Parse(line.Split(' ', StringSplitOptions.RemoveEmptyEntries), source);
    }
}
