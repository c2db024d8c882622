package task

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/signature"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/worker"
)

// secretEnv is the environment variable that contains the secrets with which callbacks are signed.
const secretEnv = "WHEELSCOPE_SIGN_SECRET"

// secretFileMax is the maximum size of a secret file, in bytes.
const secretFileMax = 4 << 10

// receiverFlags holds the flags of the worker command that concern receivers, the programs to which the
// worker sends callbacks.
type receiverFlags struct {
	permanent  string
	secretFile string
}

func (f *receiverFlags) register(c *cobra.Command) {
	c.Flags().StringVar(&f.permanent, "permanent-status", "410", "do not retry after one of these `STATUSES`, such as 404,410; none: always retry")
	c.Flags().StringVar(&f.secretFile, "sign-secret-file", "", "sign callbacks with the secrets of `FILE`, one a line (or "+secretEnv+")")
}

// read sets o.PermanentStatus and o.Secrets from the flags and from the environment variable secretEnv.
func (f *receiverFlags) read(o *worker.Options) error {
	o.PermanentStatus = []int{}
	if f.permanent != "none" {
		for _, text := range strings.Split(f.permanent, ",") {
			code, err := strconv.Atoi(strings.TrimSpace(text))
			if err != nil {
				return fmt.Errorf("--permanent-status: %.40q, expected statuses such as 404,410, or none", f.permanent)
			}
			o.PermanentStatus = append(o.PermanentStatus, code)
		}
	}
	where, text := secretEnv, os.Getenv(secretEnv)
	if f.secretFile != "" {
		data, err := readSecretFile(f.secretFile)
		if err != nil {
			return err
		}
		where, text = "--sign-secret-file: "+f.secretFile, data
	}
	for i, line := range strings.Fields(text) {
		secret, err := signature.ParseSecret(line)
		if err != nil {
			return fmt.Errorf("%s: secret %d: %w", where, i+1, err)
		}
		o.Secrets = append(o.Secrets, secret)
	}
	if f.secretFile != "" && len(o.Secrets) == 0 {
		return fmt.Errorf("%s: no secret", where)
	}
	return nil
}

func readSecretFile(name string) (string, error) {
	file, err := os.Open(name)
	if err != nil {
		return "", fmt.Errorf("--sign-secret-file: %w", err)
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, secretFileMax+1))
	if err == nil && len(data) > secretFileMax {
		err = fmt.Errorf("longer than %d bytes", secretFileMax)
	}
	if err != nil {
		return "", fmt.Errorf("--sign-secret-file: %s: %w", name, err)
	}
	return string(bytes.TrimSpace(data)), nil
}
