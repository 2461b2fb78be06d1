using System.CommandLine;
using System.Globalization;
using System.Security.Cryptography;
using System.Text;
using Postrider.CommandLine.Authority;

namespace Postrider.CommandLine.Verbs;

/// <summary><c>postrider auth password</c>.</summary>
internal static class AuthPasswordVerb
{
    private const int DefaultCost = 11;
    private const int MinCost = 4;
    private const int MaxCost = 31;

    // bcrypt ignores anything longer.
    private const int MaxPasswordBytes = 72;
    private const int GeneratedLength = 22;
    private const string Letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

    internal static Command Create()
    {
        var cost = new Option<int>("--cost") { Description = $"Cost of a check, from {MinCost} to {MaxCost}: each step doubles it", DefaultValueFactory = _ => DefaultCost }.AtLeast(MinCost);
        var generate = new Option<bool>("--generate") { Description = "Create a random password and show it, instead of reading one" };
        return LocalVerb.Create("password", """
            Hash a password or token with bcrypt for a server's configuration. The password is read from standard input.
              postrider auth password < password.txt
              postrider auth password --generate
            """, Run, cost, generate);

        void Run(ParseResult result)
        {
            var factor = result.GetValue(cost);
            if (factor > MaxCost) throw new AuthorityException(string.Create(CultureInfo.InvariantCulture, $"--cost must be at most {MaxCost}."));
            var password = result.GetValue(generate) ? RandomNumberGenerator.GetString(Letters, GeneratedLength) : Read();
            if (password.Length == 0) throw new AuthorityException("The password is empty.");
            if (Encoding.UTF8.GetByteCount(password) > MaxPasswordBytes) throw new AuthorityException($"The password has more than {MaxPasswordBytes} bytes, which bcrypt does not read.");
            if (result.GetValue(generate)) Console.WriteLine($"password  {password}");
            var hash = BCrypt.Net.BCrypt.HashPassword(password, factor);
            Console.WriteLine(result.GetValue(generate) ? $"hash      {hash}" : hash);
        }
    }

    private static string Read()
    {
        if (Console.IsInputRedirected) return Console.In.ReadLine() ?? "";
        Console.Error.Write("Password: ");
        var password = new StringBuilder();
        while (Console.ReadKey(intercept: true) is { Key: not ConsoleKey.Enter } key)
        {
            if (key.Key == ConsoleKey.Backspace) password.Length = Math.Max(0, password.Length - 1);
            else if (!char.IsControl(key.KeyChar)) password.Append(key.KeyChar);
        }
        Console.Error.WriteLine();
        return password.ToString();
    }
}
