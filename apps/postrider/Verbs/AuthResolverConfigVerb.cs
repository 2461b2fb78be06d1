using System.CommandLine;
using Postrider.CommandLine.Authority;

namespace Postrider.CommandLine.Verbs;

/// <summary><c>postrider auth resolver-config</c>.</summary>
internal static class AuthResolverConfigVerb
{
    internal static Command Create()
    {
        var folder = AuthVerb.Folder();
        var file = new Option<string?>("--out") { Description = "File to write, instead of standard output" };
        var directory = new Option<string?>("--resolver-dir") { Description = "Folder in which the server keeps tokens that are pushed to it; without it the server only knows those in the file" };
        return LocalVerb.Create("resolver-config", """
            Write the operator's and the accounts' tokens as a file to include in a server's configuration.
              postrider auth resolver-config --out resolver.conf
            """, Run, file, directory, folder);

        void Run(ParseResult result)
        {
            var text = ResolverConfig.Write(AuthVerb.Open(result, folder), result.GetValue(directory));
            if (result.GetValue(file) is not { } path)
            {
                Console.Write(text);
                return;
            }
            File.WriteAllText(path, text);
            Console.WriteLine($"Configuration: {path}");
        }
    }
}
