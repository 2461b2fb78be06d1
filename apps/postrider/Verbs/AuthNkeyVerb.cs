using System.CommandLine;
using Postrider.CommandLine.Authority;
using Postrider.Credentials;

namespace Postrider.CommandLine.Verbs;

/// <summary><c>postrider auth nkey</c>.</summary>
internal static class AuthNkeyVerb
{
    internal static Command Create()
    {
        var kind = new Argument<NkeyKind>("kind") { Description = "user, account, operator, server, cluster or curve", HelpName = "kind", DefaultValueFactory = _ => NkeyKind.User };
        var file = new Option<string?>("--out") { Description = "File for the seed, readable only by its owner; without it the seed is written to standard output" };
        var force = new Option<bool>("--force", "-f") { Description = "Replace an existing file, whose seed is lost then" };
        return LocalVerb.Create("nkey", """
            Create an nkey.
              postrider auth nkey user --out clerk.nk
            A server knows the user by the public key: authorization { users: [ { nkey: U… } ] }
            """, Run, kind, file, force);

        void Run(ParseResult result)
        {
            if (result.GetValue(file) is { } existing && File.Exists(existing) && !result.GetValue(force)) throw new AuthorityException($"'{existing}' exists, and its seed would be lost: use another file, or --force.");
            Span<char> seed = stackalloc char[NkeyPair.SeedLength];
            string publicKey;
            if (result.GetValue(kind) == NkeyKind.Curve)
            {
                using var key = CurveKeyPair.Create();
                publicKey = key.PublicKey;
                if (result.GetValue(file) is { } path) SeedFile.Write(path, key);
                else key.WriteSeed(seed);
            }
            else
            {
                using var key = NkeyPair.Create(result.GetValue(kind));
                publicKey = key.PublicKey;
                if (result.GetValue(file) is { } path) SeedFile.Write(path, key);
                else key.WriteSeed(seed);
            }
            Console.WriteLine($"public  {publicKey}");
            if (result.GetValue(file) is { } written)
            {
                Console.WriteLine($"seed    {written}");
                return;
            }
            Console.Write("seed    ");
            Console.Out.WriteLine(seed);
            seed.Clear();
        }
    }
}
