namespace Postrider.Client;

/// <summary>Makes credentials of the file that a configuration names.</summary>
/// <param name="path">The path of the file, as configured.</param>
/// <returns>Credentials that read the file for each connection.</returns>
/// <remarks>A host's container has it as a singleton if it can read such files: <c>AddPostriderCredentialsFiles</c> of the package
/// <c>Postrider.Client.Credentials</c> adds it, so that hosts without them need no cryptography library. Called once for each
/// client.</remarks>
public delegate ClientCredentials CredentialsFileReader(string path);
