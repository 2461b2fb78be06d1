using System.CommandLine;
using System.Security.Cryptography;

namespace Postrider.CommandLine.Verbs;

/// <summary><c>postrider dev-cert</c>.</summary>
internal static class DevCertVerb
{
    private const int DefaultDays = 365;
    private const int MaxDays = 3650;

    internal static Command Create()
    {
        var folder = new Option<string>("--dir") { Description = "Folder for the files", DefaultValueFactory = _ => "certs" };
        var hosts = new Option<string[]>("--host")
        {
            Description = "Name or address of the server; may be repeated",
            DefaultValueFactory = _ => ["localhost", "127.0.0.1", "::1"],
        };
        var user = new Option<string>("--user") { Description = "Name in the client's certificate", DefaultValueFactory = _ => "client" };
        var days = new Option<int>("--days") { Description = $"Days for which the certificates are valid, up to {MaxDays}", DefaultValueFactory = _ => DefaultDays }.Between(1, MaxDays);
        var verb = new Command("dev-cert", """
            Create an authority, a server's and a client's certificate for TLS on this machine.
              postrider dev-cert --dir certs --host localhost --host 192.0.2.7
            An authority in the folder is used again. Its key can sign certificates for any name: keep it secret.
            """) { folder, hosts, user, days };
        verb.SetAction(result => Run(result.GetValue(folder)!, result.GetValue(hosts)!, result.GetValue(user)!, result.GetValue(days)));
        return verb;
    }

    private static int Run(string folder, string[] hosts, string user, int days)
    {
        var certificates = new DevCertificates(folder, TimeSpan.FromDays(days), TimeProvider.System);
        try
        {
            var isNew = certificates.Write(hosts, user);
            Console.WriteLine($"""
                authority  {certificates.AuthorityFile}{(isNew ? "" : " (used again)")}
                server     {certificates.ServerFile}, {certificates.ServerKeyFile} for {string.Join(", ", hosts)}
                client     {certificates.ClientFile}, {certificates.ClientKeyFile} for {user}

                In the server's configuration:
                  tls {'{'} cert_file: "{certificates.ServerFile}", key_file: "{certificates.ServerKeyFile}", ca_file: "{certificates.AuthorityFile}", verify: true {'}'}
                A client:
                  postrider rtt -s tls://{hosts[0]}:4222 --tlsca {certificates.AuthorityFile} --tlscert {certificates.ClientFile} --tlskey {certificates.ClientKeyFile}
                """);
            return ClientVerb.Success;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException or CryptographicException or ArgumentException)
        {
            Console.Error.WriteLine($"postrider: {error.Message}");
            return ClientVerb.Failure;
        }
    }
}
