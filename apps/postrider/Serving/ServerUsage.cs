namespace Postrider.CommandLine.Serving;

/// <summary>The text that <c>-h</c> prints.</summary>
internal static class ServerUsage
{
    internal static string Text(string program) => $"""

        Usage: {program} [options]

        Flags take one dash or two, and their value after a space or "=". They override the configuration file.

        Server:
            -a, --addr, --net HOST           Address to listen on (default 0.0.0.0)
            -p, --port PORT                  Port for clients (default 4222; -1 for a free one)
            -n, --name, --server_name NAME   Name of the server (default: generated)
            -c, --config FILE                Configuration file
            -t                               Check the configuration file and exit
            -m, --http_port PORT             Port for the monitoring pages and /metrics
            -ms, --https_port PORT           Port for the monitoring pages over HTTPS
            -P, --pid FILE                   File for the process id
                --ports_file_dir DIR         Folder for the file {program}_PID.ports, which names every listener
                --client_advertise URL       Address that clients are told to use
                --engine ENGINE              auto, epoll or sockets (default auto)
            -sl, --signal SIGNAL[=PID|FILE]  Signal a running server: quit, term, stop, reload, reopen (its log), ldm (lame duck mode)

        JetStream:
            -js, --jetstream                 Enable JetStream
            -sd, --store_dir DIR             Folder for its files (default: "nats" below the folder for temporary files)

        Logging:
            -l, --log FILE                   File to log to (default: standard error)
            -T, --logtime                    Begin lines with the time (default true)
                --logtime_utc                Write times in UTC
            -D, --debug                      Log details
            -V, --trace                      Log every protocol line
            -DV                              Both
            -VV, -DVV                        The same, the system account included
            -s, --syslog                     Log to the system's log
            -r, --remote_syslog ADDRESS      Log to another machine, such as udp://logs.example.org:514
                --log_size_limit BYTES       Rotate the log file when it is larger
                --max_traced_msg_len BYTES   Longest payload in a traced line

        Authorization:
                --user NAME                  The only user
                --pass PASSWORD              That user's password
                --auth TOKEN                 A token instead of a user

        TLS:
                --tls                        Require TLS of clients; needs --tlscert and --tlskey
                --tlscert FILE               The server's certificate in PEM format
                --tlskey FILE                The certificate's private key
                --tlsverify                  Require a certificate of clients too
                --tlscacert FILE             The authorities of client certificates

        Cluster:
                --cluster, --cluster_listen URL  Address for other servers, such as nats://0.0.0.0:6222
                --cluster_name NAME          Name of the cluster
                --routes URL,URL             Other servers to connect to, such as nats://a:6222,nats://b:6222
                --cluster_advertise URL      Address that other servers are told to use
                --no_advertise               Do not tell clients the addresses of the other servers
                --connect_retries COUNT      How often a server that another one announced is tried again (default 0)

        Other:
            -h, --help, --help_tls           This text
            -v, --version                    The version

        Supported by nats-server, rejected here:
            --profile

        Examples:
            {program} -p 4222 -m 8222
            {program} -js -sd ./data
            {program} -c server.conf -DV
            {program} -p -1 --ports_file_dir /tmp

        """;
}
